#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "spec/convert/kubernetes/completion_index.h"
#include "spec/convert/kubernetes/kinds.h"
#include "spec/convert/kubernetes/pod.h"

namespace ym::convert {
namespace {

constexpr std::string_view kJobHint = "write command, and args if it has arguments";
constexpr std::array<Advice, 3> kDroppedOfJob{
    {{"podFailurePolicy", "retry.error applies to all errors of the program"},
     {"successPolicy", "a job succeeds when all of its tasks succeed"},
     {"maxFailedIndexes", "each member of an array succeeds or fails independently"}}};
constexpr std::array<UnneededKey, 3> kUnneededKeysOfJob{
    {{"selector", "", "Kubernetes uses it to find the pods of a job"},
     {"manualSelector", "", "Kubernetes uses it to find the pods of a job"},
     {"podReplacementPolicy", "TerminatingOrFailed",
      "Yardmaster retries a job after all of its processes have ended"}}};

// Pods that refer to each other must run together. Others become an array, whose members start independently.
bool is_gang(const JobPods& pods) {
  const auto& part = pods.part;
  const auto& topology = part.topology;
  return part.torchrun || part.finds_peers_by_name || !topology.required.empty() || !topology.preferred.empty() ||
         !topology.slice_level.empty();
}

void read_size(const Field& spec, JobPods& pods, Draft& draft, Remarks& remarks) {
  const auto tasks = pods.completions.value_or(pods.parallelism.value_or(1));
  const auto at_once = pods.parallelism.value_or(1);
  if (tasks == 0 || at_once == 0) return spec.wrong("has no pods; parallelism and completions must be at least 1");
  if (is_gang(pods)) {
    pods.part.nodes = at_once;
    if (tasks != at_once)
      remarks.warn(spec, fmt::format("has {} completions of {} pods that need each other; it becomes a gang of {}",
                                     tasks, at_once, at_once));
    return;
  }
  draft.min_nodes = 0;
  if (tasks == 1) return;
  draft.array = tasks;
  draft.array_parallel = at_once;
  remarks.note(
      spec,
      fmt::format(
          "becomes an array of {} independent jobs; if its pods need each other, write nodes: {} instead of array",
          tasks, tasks));
}

void read_job_retries(Keys& spec, JobPods& pods) {
  auto& remarks = spec.remarks();
  const auto of_all = spec.find("backoffLimit"), of_each = spec.find("backoffLimitPerIndex");
  pods.retries_at = of_each ? of_each : of_all;
  if (pods.retries_at) pods.retries = read_retries(*pods.retries_at, remarks);
  if (of_each && of_all) remarks.warn(*of_all, "is left out; backoffLimitPerIndex becomes retry.error");
}

void remark_on_job_retries(const JobPods& pods, const Draft& draft, Remarks& remarks) {
  remark_on_restarts(pods.part.restarts, draft, remarks);
  if (draft.array > 0 && pods.retries.value_or(0) > 0 && pods.retries_at->pointer.ends_with("/backoffLimit"))
    remarks.note(*pods.retries_at,
                 "counts all pods together in Kubernetes; here each member of the array may fail this number of times");
}

// Its only index is 0, a constant.
void settle_index_of_one(JobPods& pods) {
  if (!pods.indexed) return;
  pods.part.indexed = true;
  if (pods.completions.value_or(pods.parallelism.value_or(1)) == 1) set_only_index(pods.part);
}

void settle_index(JobPods& pods, const Draft& draft, Remarks& remarks) {
  if (!pods.indexed || index_variables(pods.part).empty()) return;
  if (tells_index(pods.part)) return tell_index(pods.part, draft.array > 0 ? "YM_ARRAY_INDEX" : "YM_NODE_RANK");
  remarks.note(*pods.indexed,
               fmt::format("{} is not set for a program that torchrun starts; read YM_NODE_RANK", kCompletionIndex));
}

}  // namespace

std::optional<JobPods> read_job_pods(Keys& spec, std::string_view container) {
  auto& remarks = spec.remarks();
  JobPods pods{.part = {.at = spec.field()}};
  const auto pod = spec.require("template", "write the pod that does the work");
  auto part = pod ? read_pod_template(*pod, container, remarks) : std::nullopt;
  pods.parallelism = read_count(spec, "parallelism");
  pods.completions = read_count(spec, "completions");
  if (const auto mode = spec.find("completionMode"); mode && mode->value->text == "Indexed") pods.indexed = mode;
  read_job_retries(spec, pods);
  if (const auto deadline = spec.find("activeDeadlineSeconds")) pods.time_limit = read_seconds(*deadline);
  spec.note(kUnneededKeysOfJob);
  spec.drop(kDroppedOfJob);
  if (!part) return std::nullopt;
  pods.part = std::move(*part);
  pods.time_limit = shorter(pods.time_limit, pods.part.time_limit);
  return pods;
}

std::optional<Draft> read_job(const Field& document, Remarks& remarks) {
  Draft draft;
  Keys keys(document, remarks);
  read_metadata(keys, draft);
  const auto field = keys.require("spec", "write what the job runs");
  keys.finish();
  if (!field) return std::nullopt;
  Keys spec(*field, remarks);
  auto pods = read_job_pods(spec, draft.name);
  read_lifecycle(spec, draft);
  spec.finish();
  if (!pods) return std::nullopt;
  settle_index_of_one(*pods);
  settle(pods->part, remarks, kJobHint);
  read_size(*field, *pods, draft, remarks);
  settle_index(*pods, draft, remarks);
  draft.error_retries = pods->retries;
  remark_on_job_retries(*pods, draft, remarks);
  draft.time_limit = pods->time_limit;
  draft.parts.push_back(std::move(pods->part));
  return draft;
}

}  // namespace ym::convert
