#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "spec/convert/kubernetes/kinds.h"
#include "spec/convert/kubernetes/pod.h"

namespace ym::convert {
namespace {

constexpr std::string_view kJobSetHint = "write command, and args if it has arguments";
constexpr std::string_view kExclusive = "alpha.jobset.sigs.k8s.io/exclusive-topology";
constexpr std::string_view kKept = "the server decides how long it keeps ended jobs";
constexpr std::array<Advice, 1> kDroppedOfGroup{
    {{"dependsOn", "all groups of a gang start together; let the program wait for what must be first"}}};

std::optional<Field> exclusive_level(const std::optional<Field>& of) {
  return field_under(field_under(field_under(of, "metadata"), "annotations"), kExclusive);
}

// A job's topology applies to all groups together. Here each job has a domain of its own.
void leave_out_exclusive_levels(const std::vector<JobPods>& jobs, Remarks& remarks) {
  for (const auto& pods : jobs)
    if (pods.exclusive)
      remarks.warn(*pods.exclusive,
                   "is left out; it applies to each job in Kubernetes, and to all groups together here: "
                   "placement: {topology: {required: LEVEL}}");
}

void read_replicated_jobs(const Field& list, const Field& jobset, Draft& draft, Remarks& remarks) {
  const auto level = exclusive_level(jobset);
  std::vector<JobPods> jobs;
  for (const auto& field : spec::read_list(list, "replicated jobs").value_or(std::vector<Field>{})) {
    auto pods = read_replicated_job(field, "", remarks);
    if (!pods) continue;
    if (!pods->exclusive) pods->exclusive = level;
    settle(pods->part, remarks, kJobSetHint);
    draft.time_limit = std::max(draft.time_limit, pods->time_limit);
    jobs.push_back(std::move(*pods));
  }
  if (jobs.size() == 1) take_exclusive_level(jobs.front(), remarks);
  else leave_out_exclusive_levels(jobs, remarks);
  take_retries(jobs, draft, remarks);
  for (auto& pods : jobs) {
    remark_on_restarts(pods.part.restarts, draft, remarks);
    draft.parts.push_back(std::move(pods.part));
  }
}

// Reads the template of a Job.
std::optional<Field> read_job_template(const Field& job, Remarks& remarks) {
  Keys keys(job, remarks);
  const auto spec = keys.require("spec", "write the job's pods there");
  if (const auto metadata = keys.find("metadata")) note_metadata(*metadata, {kExclusive}, remarks);
  keys.finish();
  return spec;
}

std::optional<JobPods> read_job_spec(const Field& spec, std::string_view container, Remarks& remarks) {
  constexpr std::array<UnneededKey, 3> kOfTheWhole{{{"suspend", "", "a job is held as a whole: ym hold"},
                                                    {"ttlSecondsAfterFinished", "", kKept},
                                                    {"managedBy", "", "Yardmaster runs it"}}};
  Keys keys(spec, remarks);
  auto pods = read_job_pods(keys, container);
  keys.note(kOfTheWhole);
  keys.finish();
  return pods;
}

}  // namespace

// A job file cannot reserve a domain for one job.
void take_exclusive_level(JobPods& pods, Remarks& remarks) {
  if (!pods.exclusive) return;
  auto& topology = pods.part.topology;
  const auto& level = pods.exclusive->value->text;
  if (pods.replicas == 1) topology.required = level;
  else topology.slice_level = level, topology.slice_nodes = pods.part.nodes / pods.replicas;
  remarks.warn(*pods.exclusive,
               "becomes nearness: the nodes of each job are in one domain, which other jobs may use too");
}

std::optional<JobPods> read_replicated_job(const Field& field, std::string_view container, Remarks& remarks) {
  constexpr std::array<UnneededKey, 1> kGroup{{{"groupName", "default", "groups have the names of their jobs"}}};
  Keys keys(field, remarks);
  const auto job = keys.require("template", "write the job to replicate");
  const auto replicas = read_count(keys, "replicas").value_or(1);
  const auto name = keys.find("name");
  keys.note(kGroup);
  keys.drop(kDroppedOfGroup);
  keys.finish();
  const auto spec = job ? read_job_template(*job, remarks) : std::nullopt;
  auto pods = spec ? read_job_spec(*spec, container, remarks) : std::nullopt;
  if (!pods) return std::nullopt;
  const auto each = pods->parallelism.value_or(1);
  pods->part.nodes = replicas * each;
  if (pods->part.nodes == 0) return remarks.note(field, "has no pods, and is left out"), std::nullopt;
  if (pods->completions && *pods->completions != each)
    remarks.warn(*spec, fmt::format("has {} completions of {} pods; all tasks of a gang run once, together",
                                    *pods->completions, each));
  pods->part.name = name ? name->value->text : "";
  pods->replicas = replicas;
  pods->exclusive = exclusive_level(job);
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
  read_jobset_policies(spec, draft);
  const auto jobs = spec.require("replicatedJobs", "write the jobs of the set");
  if (jobs) read_replicated_jobs(*jobs, document, draft, remarks);
  if (jobs && draft.parts.empty() && document.problems->empty()) jobs->wrong("have no pods; write at least one");
  read_lifecycle(spec, draft);
  spec.finish();
  return draft;
}

}  // namespace ym::convert
