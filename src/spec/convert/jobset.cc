#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "spec/convert/kinds.h"
#include "spec/convert/pod.h"

namespace ym::convert {
namespace {

constexpr std::string_view kHint = "write command, and args if it has some";
constexpr std::string_view kExclusive = "alpha.jobset.sigs.k8s.io/exclusive-topology";
constexpr std::array<Advice, 2> kDropped{
    {{"coordinator", "the first task is the one with YM_NODE_RANK 0"},
     {"volumeClaimPolicies", "have the cluster mount it, see mounts in the server's configuration"}}};
constexpr std::array<Advice, 1> kDroppedOfGroup{
    {{"dependsOn", "all groups of a gang start together; what must be first, the program waits for"}}};

// Each child Job in a domain for itself: that domain is said, that nobody else is in it is not.
void take_exclusive_level(const std::optional<Field>& level, std::int64_t replicas, std::int64_t each, Part& part,
                          Remarks& remarks) {
  if (!level) return;
  if (replicas == 1) part.topology.required = level->value->text;
  else part.topology.slice_level = level->value->text, part.topology.slice_nodes = each;
  remarks.warn(*level, "is carried over as nearness: the nodes of each job are in one domain, which others may share");
}

void read_failure_policy(const Field& field, Draft& draft, Remarks& remarks) {
  constexpr std::array<Advice, 1> kRules{{{"rules", "retry.error is for all errors of the program alike"}}};
  Keys keys(field, remarks);
  if (const auto restarts = keys.find("maxRestarts")) draft.error_retries = read_retries(*restarts, remarks);
  keys.skip({"restartStrategy"});
  keys.drop(kRules);
  keys.finish();
}

void check_policies(Keys& spec) {
  auto& remarks = spec.remarks();
  if (const auto success = spec.find("successPolicy")) {
    const auto targets = field_under(success, "targetReplicatedJobs");
    if (text_under(success, "operator") == "Any" || (targets && says_something(*targets->value)))
      remarks.warn(*success, "is left out; a job has succeeded when all of its tasks have");
  }
  const auto startup = spec.find("startupPolicy");
  if (text_under(startup, "startupPolicyOrder") == "InOrder")
    remarks.warn(*startup,
                 "is left out; all groups of a gang start together; what must be first, the program waits for");
  if (const auto network = spec.find("network"))
    remarks.note(*network, "is left out; tasks find each other by YM_NODE_IPS, groups by YM_GROUPS");
}

std::optional<Field> exclusive_level(const std::optional<Field>& of) {
  return field_under(field_under(field_under(of, "metadata"), "annotations"), kExclusive);
}

void read_replicated_jobs(const Field& list, const Field& jobset, Draft& draft, Remarks& remarks) {
  const auto level = exclusive_level(jobset);
  const auto jobs = spec::read_list(list, "replicated jobs");
  for (const auto& field : jobs.value_or(std::vector<Field>{})) {
    auto pods = read_replicated_job(field, "", level, remarks);
    if (!pods) continue;
    settle(pods->part, remarks, kHint);
    draft.time_limit = std::max(draft.time_limit, pods->time_limit);
    if (!draft.error_retries) draft.error_retries = pods->retries;
    draft.parts.push_back(std::move(pods->part));
  }
}

}  // namespace

std::optional<JobPods> read_replicated_job(const Field& field, std::string_view container,
                                           const std::optional<Field>& exclusive, Remarks& remarks) {
  Keys keys(field, remarks);
  const auto job = keys.require("template", "write the job that is replicated");
  const auto replicas = read_count(keys, "replicas").value_or(1);
  const auto name = keys.find("name");
  keys.skip({"groupName"});
  keys.drop(kDroppedOfGroup);
  keys.finish();
  const auto spec = field_under(job, "spec");
  if (job && !spec) job->wrong("has no spec; write the job's pods there");
  if (!spec) return std::nullopt;
  Keys of_job(*spec, remarks);
  auto pods = read_job_pods(of_job, container);
  of_job.skip({"suspend", "ttlSecondsAfterFinished"});
  of_job.finish();
  if (!pods) return std::nullopt;
  const auto each = pods->parallelism.value_or(1);
  pods->part.nodes = replicas * each;
  if (pods->part.nodes == 0) return remarks.note(field, "has no pods, and is left out"), std::nullopt;
  if (pods->completions && *pods->completions != each)
    remarks.warn(*spec, fmt::format("has {} completions of {} pods; all tasks of a gang run once, together",
                                    *pods->completions, each));
  pods->part.name = name ? name->value->text : "";
  const auto own = exclusive_level(job);
  take_exclusive_level(own ? own : exclusive, replicas, each, pods->part, remarks);
  return pods;
}

std::optional<Draft> read_jobset(const Field& document, Remarks& remarks) {
  Draft draft;
  Keys keys(document, remarks);
  read_metadata(keys, draft);
  draft.min_nodes = 0;
  const auto field = keys.require("spec", "write what the job runs");
  keys.finish();
  if (!field) return std::nullopt;
  Keys spec(*field, remarks);
  if (const auto policy = spec.find("failurePolicy")) read_failure_policy(*policy, draft, remarks);
  const auto jobs = spec.require("replicatedJobs", "write the jobs that it consists of");
  if (jobs) read_replicated_jobs(*jobs, document, draft, remarks);
  if (jobs && draft.parts.empty() && document.problems->empty()) jobs->wrong("have no pods; write one at least");
  check_policies(spec);
  read_lifecycle(spec, draft);
  spec.drop(kDropped);
  spec.finish();
  return draft;
}

}  // namespace ym::convert
