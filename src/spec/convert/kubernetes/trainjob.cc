#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "spec/convert/amounts.h"
#include "spec/convert/kubernetes/kinds.h"
#include "spec/convert/kubernetes/pod.h"

namespace ym::convert {
namespace {

constexpr std::string_view kStep = "trainer.kubeflow.org/trainjob-ancestor-step";
constexpr std::array<Advice, 6> kDroppedOfTrainJob{
    {{"initializer", "models and data sets must be where the nodes see them; fetch them before, or in the program"},
     {"podTemplateOverrides", "write its changes into the job file"},
     {"podSpecOverrides", "write its changes into the job file"},
     {"runtimePatches", "write its changes into the job file"},
     {"labels", "jobs have none"},
     {"annotations", "jobs have none; use placement.topology for nearness"}}};

// "torch" if the runtime's policy says so; if only its name is known, if the name says so.
bool is_torch(const std::optional<Field>& runtime, const std::string& name) {
  if (runtime) return field_under(field_under(field_under(runtime, "spec"), "mlPolicy"), "torch").has_value();
  return name.contains("torch");
}

bool is_trainer(const Field& replicated_job) {
  const auto metadata = field_under(field_under(replicated_job, "template"), "metadata");
  return text_under(field_under(metadata, "labels"), kStep) == "trainer" ||
         text_under(replicated_job, "name") == "node";
}

// The keys around the runtime's JobSet.
void note_wrapping(const Field& runtime, Remarks& remarks) {
  constexpr std::array<UnneededKey, 1> kPodGroup{{{"podGroupPolicy", "", "a gang starts whole or not at all"}}};
  Keys of_document(runtime, remarks);
  of_document.skip({"apiVersion", "kind", "metadata", "status"});  // the trainer has its own name
  const auto spec = of_document.find("spec");
  of_document.finish();
  if (!spec) return;
  Keys of_spec(*spec, remarks);
  of_spec.skip({"mlPolicy"});
  const auto jobset = of_spec.find("template");
  of_spec.note(kPodGroup);
  of_spec.finish();
  if (!jobset) return;
  Keys of_template(*jobset, remarks);
  of_template.skip({"spec"});
  if (const auto metadata = of_template.find("metadata")) note_metadata(*metadata, {}, remarks);
  of_template.finish();
}

// The replicated jobs of the runtime's JobSet. Adds remarks on the rest of it.
std::optional<Field> replicated_jobs_of(const Field& runtime, Draft& draft, Remarks& remarks) {
  const auto spec = field_under(runtime, "spec"), jobset = field_under(field_under(spec, "template"), "spec");
  if (!spec || !jobset) return std::nullopt;
  constexpr std::array<UnneededKey, 3> kOfTheJob{{{"suspend", "", "a job is held as a whole: ym hold"},
                                                  {"ttlSecondsAfterFinished", "", "the server decides this"},
                                                  {"managedBy", "", "Yardmaster runs it"}}};
  note_wrapping(runtime, remarks);
  Keys of_jobset(*jobset, remarks);
  const auto jobs = of_jobset.find("replicatedJobs");
  read_jobset_policies(of_jobset, draft);
  of_jobset.note(kOfTheJob);
  of_jobset.finish();
  return jobs;
}

// The pods of a runtime that train.
std::optional<JobPods> trainer_of(const Field& runtime, Draft& draft, Remarks& remarks) {
  const auto jobs = replicated_jobs_of(runtime, draft, remarks);
  const auto items = jobs ? spec::read_list(*jobs, "replicated jobs") : std::nullopt;
  if (!items || items->empty()) return runtime.wrong("has no replicatedJobs in spec.template.spec"), std::nullopt;
  const auto trainer = std::ranges::find_if(*items, is_trainer);
  const auto& chosen = trainer == items->end() ? items->front() : *trainer;
  for (const auto& other : *items)
    if (other.pointer != chosen.pointer)
      remarks.warn(other, fmt::format("{} is left out; prepare its work before, or in the program",
                                      spec::quoted(text_under(other, "name"))));
  auto pods = read_replicated_job(chosen, "node", remarks);
  if (pods) take_exclusive_level(*pods, remarks);
  return pods;
}

struct Policy {
  std::optional<std::int64_t> nodes;
  std::string workers;
  std::optional<Field> workers_at;
};

void take_workers(Keys& keys, Policy& policy) {
  const auto workers = keys.find("numProcPerNode");
  if (!workers || !workers->value->is_scalar()) return;
  policy.workers = workers->value->text;
  policy.workers_at = workers;
}

Policy policy_of(const Field& runtime, Remarks& remarks) {
  Policy policy;
  const auto field = field_under(field_under(runtime, "spec"), "mlPolicy");
  if (!field) return policy;
  constexpr std::array<Advice, 1> kMpi{{{"mpi", "MPI has no launcher here; the program must start its ranks"}}};
  Keys keys(*field, remarks);
  policy.nodes = read_count(keys, "numNodes");
  if (const auto torch = keys.find("torch")) {
    Keys of_torch(*torch, remarks);
    take_workers(of_torch, policy);
    of_torch.finish();
  }
  keys.drop(kMpi);
  keys.finish();
  return policy;
}

// Whether a map of quantities has GPUs, whole or in slices.
bool names_devices(const std::optional<Field>& map) {
  return map && map->value->kind == Value::Kind::map &&
         std::ranges::any_of(map->value->keys, [](const std::string& key) {
           return key == "gpu" || key.ends_with("/gpu") || key.starts_with("nvidia.com/mig-");
         });
}

// Amounts that the trainer does not name keep the runtime's value. Kubeflow replaces all of them together, so a note
// says that: a user that writes memory alone hardly means to lose the GPUs.
void read_resources_over(const Field& resources, Part& part, Remarks& remarks) {
  const auto limits = field_under(resources, "limits"), requests = field_under(resources, "requests");
  const bool parted = limits || requests;
  Amounts said;
  if (parted) read_resources(resources, remarks, said);
  else read_quantities(resources, remarks, said);
  auto& amounts = part.amounts;
  std::vector<std::string_view> kept;
  if (names_devices(limits) || names_devices(requests) || (!parted && names_devices(resources))) {
    amounts.gpus = said.gpus;
    amounts.gpu_type = said.gpu_type;
    amounts.profile = said.profile;
    amounts.slices = said.slices;
  } else if (amounts.gpus > 0 || amounts.slices > 0) {
    kept.emplace_back("GPUs");
  }
  if (said.cpus) amounts.cpus = said.cpus;
  else if (amounts.cpus) kept.emplace_back("cpu");
  if (said.memory > 0) amounts.memory = said.memory;
  else if (amounts.memory > 0) kept.emplace_back("memory");
  if (!kept.empty() && says_something(*resources.value))
    remarks.note(resources, fmt::format("does not name {}: the runtime's value is kept, while Kubeflow would use only "
                                        "the amounts here; write it here too",
                                        fmt::join(kept, ", ")));
}

// The trainer takes precedence over its runtime.
void read_trainer(const Field& trainer, Part& part, Policy& policy, Remarks& remarks) {
  Keys keys(trainer, remarks);
  read_command(keys, part);
  if (const auto env = keys.find("env")) read_environment(*env, part, remarks);
  if (const auto nodes = read_count(keys, "numNodes")) policy.nodes = nodes;
  take_workers(keys, policy);
  if (const auto resources = keys.find("resourcesPerNode")) read_resources_over(*resources, part, remarks);
  keys.finish();
}

void finish_reference(const Field& reference, Remarks& remarks) {
  Keys keys(reference, remarks);
  keys.skip({"name", "apiGroup", "kind"});
  keys.finish();
}

void warn_of_missing_runtime(const Field& reference, const std::string& name, Remarks& remarks) {
  remarks.warn(reference,
               fmt::format("{} is not in this file, so its image, command, resources and placement are missing; "
                           "add it to the file: kubectl get clustertrainingruntime {} -o yaml",
                           spec::quoted(name), name));
}

std::string hint(const std::optional<Field>& runtime, const std::string& name) {
  if (runtime) return "write trainer: {command: [...]}";
  return fmt::format(
      "write trainer: {{command: [...]}}, or put its runtime into the same file (kubectl get "
      "clustertrainingruntime {} -o yaml)",
      name);
}

}  // namespace

std::optional<Draft> read_trainjob(const Field& document, const std::optional<Field>& runtime, Remarks& remarks) {
  Draft draft;
  Keys keys(document, remarks);
  read_metadata(keys, draft);
  const auto field = keys.require("spec", "write spec: {runtimeRef: ..., trainer: ...}");
  keys.finish();
  if (!field) return std::nullopt;
  Keys spec(*field, remarks);
  const auto reference = spec.find("runtimeRef");
  const auto name = text_under(reference, "name");
  if (reference) finish_reference(*reference, remarks);
  if (reference && !runtime) warn_of_missing_runtime(*reference, name, remarks);
  Part part{.at = *field};
  Policy policy;
  if (runtime) {
    auto pods = trainer_of(*runtime, draft, remarks);
    policy = policy_of(*runtime, remarks);
    if (!pods) return std::nullopt;
    draft.time_limit = pods->time_limit;
    take_retries({*pods}, draft, remarks);
    remark_on_restarts(pods->part.restarts, draft, remarks);
    part = std::move(pods->part);
  }
  const auto trainer = spec.find("trainer");
  if (trainer) part.at = *trainer, read_trainer(*trainer, part, policy, remarks);
  if (const auto deadline = spec.find("activeDeadlineSeconds"))
    draft.time_limit = shorter(draft.time_limit, read_seconds(*deadline));
  read_lifecycle(spec, draft);
  spec.drop(kDroppedOfTrainJob);
  spec.finish();
  if (policy.nodes) part.nodes = *policy.nodes;
  // If the runtime is not in the input, a number of processes means torchrun.
  part.of_torch = is_torch(runtime, name) || (!runtime && !policy.workers.empty());
  part.workers = part.program_workers = policy.workers;
  part.workers_at = policy.workers_at;
  settle(part, remarks, hint(runtime, name));
  draft.min_nodes = 0;
  draft.parts.push_back(std::move(part));
  return draft;
}

}  // namespace ym::convert
