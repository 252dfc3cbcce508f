#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "spec/convert/kubernetes/kinds.h"
#include "spec/convert/kubernetes/pod.h"
#include "spec/convert/torchrun.h"

namespace ym::convert {
namespace {

constexpr std::string_view kPyTorchHint = "write the command of its container pytorch";

struct Replicas {
  Field at;
  Part part;
  std::int64_t count = 1;
};

std::optional<Replicas> read_replicas(const Field& field, Remarks& remarks) {
  Keys keys(field, remarks);
  const auto count = read_count(keys, "replicas").value_or(1);
  const auto pod = keys.require("template", "write the pod that does the work");
  keys.skip({"restartPolicy"});  // read together with those of the other pods
  keys.finish();
  auto part = pod ? read_pod_template(*pod, "pytorch", remarks) : std::nullopt;
  if (!part || count == 0) return std::nullopt;
  if (part->restarts)
    remarks.note(*part->restarts, "is left out; the restartPolicy of a replica takes precedence over that of its pod");
  return Replicas{.at = field, .part = std::move(*part), .count = count};
}

std::vector<std::string> differences(const Part& a, const Part& b) {
  std::vector<std::string> names;
  const auto compare = [&](bool same, const char* name) {
    if (!same) names.emplace_back(name);
  };
  compare(a.command == b.command && a.args == b.args, "command");
  compare(a.image == b.image, "image");
  compare(a.env == b.env, "env");
  compare(a.amounts == b.amounts, "resources");
  compare(a.workdir == b.workdir, "workingDir");
  compare(a.select == b.select && a.topology == b.topology, "placement");
  return names;
}

// All ranks of torchrun are alike, so master and workers become one part.
std::optional<Part> merged(std::optional<Replicas> master, std::optional<Replicas> workers, Remarks& remarks) {
  if (!master && !workers) return std::nullopt;
  auto& first = master ? *master : *workers;
  first.part.nodes = (master ? master->count : 0) + (workers ? workers->count : 0);
  if (!master || !workers) return std::move(first.part);
  const auto names = differences(master->part, workers->part);
  if (!names.empty())
    remarks.warn(
        workers->at,
        fmt::format("differ from the master in {}; all nodes under torchrun are alike, so all are made like the master",
                    fmt::join(names, ", ")));
  return std::move(master->part);
}

// The label of Kueue takes precedence.
void take_queue(const Field& queue, Draft& draft, Remarks& remarks) {
  if (draft.queue.empty()) draft.queue = queue.value->text;
  else if (draft.queue != queue.value->text)
    remarks.warn(queue, fmt::format("is left out; the label kueue.x-k8s.io/queue-name is {}", draft.queue));
}

// The policies of master and workers that are set. Kubernetes restarts a replica without a policy on failure.
std::vector<Field> restart_policies(const Field& replicas, bool& all_never) {
  std::vector<Field> policies;
  all_never = true;
  for (const auto* name : {"Master", "Worker"}) {
    const auto group = field_under(replicas, name);
    if (!group) continue;
    const auto policy = field_under(group, "restartPolicy");
    all_never = all_never && policy && policy->value->text == "Never";
    if (policy) policies.push_back(*policy);
  }
  return policies;
}

// Precondition: the run policy is read.
void read_restart_policies(const Field& replicas, Draft& draft, Remarks& remarks) {
  bool all_never = false;
  const auto policies = restart_policies(replicas, all_never);
  if (all_never && !policies.empty()) {
    if (draft.error_retries.value_or(0) > 0)
      remarks.warn(
          policies.front(),
          fmt::format(
              "Never takes precedence over backoffLimit, which is left out; to retry, write retry: {{error: {}}}",
              *draft.error_retries));
    draft.error_retries = 0;
    return;
  }
  for (const auto& policy : policies) {
    if (policy.value->text == "Never")
      remarks.warn(policy, "Never is left out; Yardmaster retries the whole job, with all of its tasks");
    remark_on_restarts(policy, draft, remarks);
  }
}

void read_run_policy(const Field& field, Draft& draft, Remarks& remarks) {
  constexpr std::array<Advice, 1> kScheduling{{{"priorityClass", "write priority: 0 to 100 (50 is usual)"}}};
  constexpr std::array<UnneededKey, 3> kGang{{{"minAvailable", "", "a gang starts whole or not at all"},
                                              {"minResources", "", "a gang starts whole or not at all"},
                                              {"scheduleTimeoutSeconds", "", "a job waits until it has room"}}};
  constexpr std::array<UnneededKey, 1> kCleaning{
      {{"cleanPodPolicy", "", "no task outlives its job, and ym logs shows the output"}}};
  Keys keys(field, remarks);
  if (const auto retries = keys.find("backoffLimit")) draft.error_retries = read_retries(*retries, remarks);
  if (const auto deadline = keys.find("activeDeadlineSeconds")) draft.time_limit = read_seconds(*deadline);
  if (const auto scheduling = keys.find("schedulingPolicy")) {
    Keys policy(*scheduling, remarks);
    if (const auto queue = policy.find("queue")) take_queue(*queue, draft, remarks);
    policy.note(kGang);
    policy.drop(kScheduling);
    policy.finish();
  }
  keys.note(kCleaning);
  read_lifecycle(keys, draft);
  keys.finish();
}

// A program that torchrun does not start runs once in each pod. This number says how many processes it was meant to
// have.
void take_workers(const std::optional<Field>& processes, Part& part) {
  if (!processes || !processes->value->is_scalar()) return;
  part.workers_at = processes;
  part.workers = processes->value->text;
  part.program_workers = is_number(part.workers) ? part.workers : "1";
}

constexpr std::string_view kWhere = "the launcher sets where ranks meet";
constexpr std::array<UnneededKey, 6> kMeeting{{{"rdzvBackend", "", kWhere},
                                               {"rdzvHost", "", kWhere},
                                               {"rdzvPort", "", kWhere},
                                               {"rdzvId", "", kWhere},
                                               {"rdzvConf", "", kWhere},
                                               {"standalone", "", kWhere}}};

void read_elastic(const Field& field, Draft& draft, Part& part, Remarks& remarks) {
  Keys keys(field, remarks);
  const auto least = read_count(keys, "minReplicas"), most = read_count(keys, "maxReplicas");
  if (most && *most > 0) part.nodes = *most;
  if (least && *least > 0 && *least < part.nodes) draft.min_nodes = *least;
  take_workers(keys.find("nProcPerNode"), part);
  if (const auto restarts = keys.find("maxRestarts"); restarts && restarts->value->text != "0")
    set_variable(part.env, "PET_MAX_RESTARTS", restarts->value->text);
  keys.note(kMeeting);
  keys.finish();
}

std::optional<Part> read_pods(const Field& field, Remarks& remarks) {
  Keys keys(field, remarks);
  const auto master = keys.find("Master"), workers = keys.find("Worker");
  keys.finish();
  auto of_master = master ? read_replicas(*master, remarks) : std::nullopt;
  auto of_workers = workers ? read_replicas(*workers, remarks) : std::nullopt;
  auto part = merged(std::move(of_master), std::move(of_workers), remarks);
  if (!part && field.problems->empty()) field.wrong("has no pods; write Master, Worker or both");
  return part;
}

}  // namespace

std::optional<Draft> read_pytorchjob(const Field& document, Remarks& remarks) {
  Draft draft;
  Keys keys(document, remarks);
  read_metadata(keys, draft);
  draft.min_nodes = 0;
  const auto field = keys.require("spec", "write spec: {pytorchReplicaSpecs: ...}");
  keys.finish();
  if (!field) return std::nullopt;
  Keys spec(*field, remarks);
  const auto replicas = spec.require("pytorchReplicaSpecs", "write Master, Worker or both");
  auto part = replicas ? read_pods(*replicas, remarks) : std::nullopt;
  if (const auto policy = spec.find("runPolicy")) read_run_policy(*policy, draft, remarks);
  if (replicas) read_restart_policies(*replicas, draft, remarks);
  const auto processes = spec.find("nprocPerNode"), elastic = spec.find("elasticPolicy");
  spec.finish();
  if (!part) return std::nullopt;
  draft.time_limit = shorter(draft.time_limit, part->time_limit);
  part->of_torch = true;
  part->program_workers = "1";
  take_workers(processes, *part);
  if (elastic) read_elastic(*elastic, draft, *part, remarks);
  settle(*part, remarks, kPyTorchHint);
  draft.parts.push_back(std::move(*part));
  return draft;
}

}  // namespace ym::convert
