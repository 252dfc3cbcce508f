#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "spec/convert/expand.h"
#include "spec/convert/kubernetes/completion_index.h"
#include "spec/convert/kubernetes/kinds.h"
#include "spec/convert/kubernetes/pod.h"
#include "spec/convert/torchrun.h"

namespace ym::convert {
namespace {

constexpr std::string_view kQueue = "kueue.x-k8s.io/queue-name", kPriority = "kueue.x-k8s.io/priority-class";

bool is_of_cluster(std::string_view key) {
  return key.starts_with("kubectl.kubernetes.io/") || key.starts_with("batch.kubernetes.io/") ||
         key.starts_with("trainer.kubeflow.org/") || key == "controller-uid" || key == "job-name";
}

// `read`: beginnings of keys that another reader handles.
void note_others(const std::optional<Field>& map, std::string_view what, const std::vector<std::string_view>& read,
                 Remarks& remarks) {
  if (!map || map->value->kind != Value::Kind::map) return;
  std::string others;
  for (const auto& key : map->value->keys) {
    const bool is_read = std::ranges::any_of(read, [&](std::string_view begin) { return key.starts_with(begin); });
    if (!is_read && !is_of_cluster(key)) others += (others.empty() ? "" : ", ") + spec::quoted(key);
  }
  if (!others.empty()) remarks.note(*map, fmt::format("{} is left out; jobs have no {}", others, what));
}

// The annotations that only this kind has.
std::vector<std::string_view> annotations_of(std::string_view kind) {
  if (kind == "JobSet") return {"alpha.jobset.sigs.k8s.io/exclusive-topology"};
  if (kind == "Job") return {"kueue.x-k8s.io/job-min-parallelism"};
  return {};
}

// Notes keys that neither the cluster wrote nor a reader handles.
void finish_metadata(Keys& metadata) {
  constexpr std::array<UnneededKey, 2> kOfOthers{
      {{"a job has no owner", "", "jobs belong to nothing else"}, {"finalizers", "", "jobs have none"}}};
  metadata.skip({"creationTimestamp", "uid", "resourceVersion", "generation", "managedFields", "selfLink",
                 "deletionTimestamp", "deletionGracePeriodSeconds"});
  metadata.note(kOfOthers);
  metadata.finish();
}

void read_name(const Field& metadata, Draft& draft, Remarks& remarks) {
  auto field = field_under(metadata, "name");
  if (!field) field = field_under(metadata, "generateName");
  if (!field || !field->value->is_scalar()) return;
  constexpr std::size_t kLongest = 63;
  auto name = field->value->text.substr(0, kLongest);
  while (name.ends_with('-') || name.ends_with('.')) name.pop_back();
  if (field->value->text.size() > kLongest)
    remarks.warn(*field, fmt::format("is cut to {} letters: {}", kLongest, name));
  if (spec::is_name(name)) draft.name = name;
  else
    field->wrong(fmt::format("{} is not a valid name; use 1 to 63 letters, digits, '.' and '-'", spec::quoted(name)));
}

void read_queue(const Field& labels, Draft& draft, Remarks& remarks) {
  if (const auto queue = field_under(labels, kQueue)) {
    draft.queue = queue->value->text;
    if (!spec::is_name(draft.queue))
      queue->wrong(fmt::format("{} is not a valid queue name", spec::quoted(draft.queue)));
  }
  if (const auto priority = field_under(labels, kPriority))
    remarks.warn(*priority, "is left out; write priority: 0 to 100 (50 is usual, higher is more urgent)");
}

}  // namespace

void read_metadata(Keys& document, Draft& draft) {
  auto& remarks = document.remarks();
  // Metadata that the cluster wrote is not a part of the job.
  document.skip({"apiVersion", "kind", "status"});
  const auto metadata = document.require("metadata", "write metadata: {name: ...}");
  if (!metadata) return;
  read_name(*metadata, draft, remarks);
  const auto labels = field_under(metadata, "labels"), annotations = field_under(metadata, "annotations");
  if (labels) read_queue(*labels, draft, remarks);
  if (const auto least = field_under(annotations, "kueue.x-k8s.io/job-min-parallelism");
      least && least->value->text.size() < 6)
    for (const char c : least->value->text)
      draft.min_nodes = c >= '0' && c <= '9' ? draft.min_nodes * 10 + (c - '0') : 0;
  if (const auto space = field_under(metadata, "namespace"); space && space->value->text != "default")
    remarks.note(*space, fmt::format("{} is left out; if it names the project of the job, write project: {}",
                                     spec::quoted(space->value->text), space->value->text));
  note_others(labels, "labels", {kQueue, kPriority}, remarks);
  note_others(annotations, "annotations", annotations_of(text_under(document.field(), "kind")), remarks);
  Keys keys(*metadata, remarks);
  keys.skip({"name", "generateName", "namespace", "labels", "annotations"});
  finish_metadata(keys);
}

void note_metadata(const Field& metadata, const std::vector<std::string_view>& read, Remarks& remarks) {
  constexpr std::array<UnneededKey, 3> kNames{{{"name", "", "the job has the name of the whole"},
                                               {"generateName", "", "the job has the name of the whole"},
                                               {"namespace", "", "the job has the project of the whole"}}};
  Keys keys(metadata, remarks);
  note_others(keys.find("labels"), "labels", read, remarks);
  note_others(keys.find("annotations"), "annotations", read, remarks);
  keys.note(kNames);
  finish_metadata(keys);
}

void read_lifecycle(Keys& spec, const Draft& draft) {
  constexpr std::array<UnneededKey, 1> kManaged{{{"managedBy", "", "Yardmaster runs it"}}};
  spec.note(kManaged);
  if (const auto after = spec.find("ttlSecondsAfterFinished"))
    spec.remarks().note(*after, "is left out; the server decides how long it keeps ended jobs");
  const auto suspend = spec.find("suspend");
  // With a queue of Kueue, `suspend` only means that the job waits.
  if (suspend && says_something(*suspend->value) && draft.queue.empty())
    spec.remarks().warn(*suspend, fmt::format("is left out; to hold the job, use ym hold {}", draft.name));
}

std::optional<std::int64_t> shorter(std::optional<std::int64_t> a, std::optional<std::int64_t> b) {
  return a && b ? std::min(a, b) : a ? a : b;
}

std::optional<std::int64_t> read_count(Keys& keys, std::string_view key) {
  constexpr std::int64_t kMost = 1'000'000;
  const auto field = keys.find(key);
  return field ? spec::read_whole_number(*field, 0, kMost) : std::nullopt;
}

namespace {

void say_folder(const Part& part, Remarks& remarks) {
  if (part.workdir.empty() && !part.image.empty())
    remarks.note(part.at,
                 "has no workingDir, and the job has none either: on Kubernetes it runs in the folder of its image, on "
                 "other clusters in the folder of the submit");
}

void say_unset(const Part& part, Remarks& remarks) {
  for (const auto& [name, at, instead, index] : part.unset) {
    if (variable(part.env, name)) continue;  // the trainer's value takes precedence over the runtime's
    if (index && tells_index(part)) continue;
    if (part.torchrun && is_torchrun_variable(name))
      remarks.note(at, fmt::format("{} is left out: the launcher torchrun sets it", name));
    else remarks.warn(at, fmt::format("{} is left out; {}", name, instead));
  }
}

void warn_of_peers(const Part& part, Remarks& remarks) {
  const auto* address = part.torchrun ? nullptr : variable(part.env, "MASTER_ADDR");
  if (address && !part.finds_peers_by_name)
    remarks.warn(part.at, fmt::format("sets MASTER_ADDR to {}, a name that only Kubernetes knows; write launcher: "
                                      "torchrun, or take the first of YM_NODE_IPS",
                                      spec::quoted(*address)));
}

}  // namespace

void settle(Part& part, Remarks& remarks, std::string_view hint) {
  settle_words(part, remarks, hint);
  take_torchrun(part, remarks);
  const bool by_torchrun = part.torchrun;
  // A script that starts torchrun would start it within another one.
  const bool by_itself = std::ranges::any_of(part.run, [](const auto& word) {
    return word.contains("torchrun") || word.contains("torch.distributed.run") ||
           word.contains("torch.distributed.launch");
  });
  part.torchrun = by_torchrun || (part.of_torch && !by_itself);
  settle_workers(part, {.by_torchrun = by_torchrun, .in_script = by_itself}, remarks);
  if (part.torchrun) drop_torchrun_variables(part, remarks);
  say_folder(part, remarks);
  say_unset(part, remarks);
  warn_of_controllers(part, remarks);
  warn_of_peers(part, remarks);
}

}  // namespace ym::convert
