// The kinds of manifests that become jobs, one reader each.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "spec/convert/draft.h"

namespace ym::convert {

std::optional<Draft> read_job(const Field& document, Remarks& remarks);
std::optional<Draft> read_jobset(const Field& document, Remarks& remarks);
std::optional<Draft> read_pytorchjob(const Field& document, Remarks& remarks);
// `runtime`: the TrainingRuntime that it refers to, where the input has it.
std::optional<Draft> read_trainjob(const Field& document, const std::optional<Field>& runtime, Remarks& remarks);

// What they share.

// Name, queue and what Kueue is told besides; the other labels are remarked upon.
void read_metadata(Keys& document, Draft& draft);
// `suspend`, `ttlSecondsAfterFinished`, `managedBy`. Precondition: the metadata is read.
void read_lifecycle(Keys& spec, const Draft& draft);
std::optional<std::int64_t> read_count(Keys& keys, std::string_view key);
// Of a limit on a pod and one on the whole: the one that comes first.
std::optional<std::int64_t> shorter(std::optional<std::int64_t> a, std::optional<std::int64_t> b);

// The pods of a batch Job.
struct JobPods {
  Part part;
  std::optional<std::int64_t> parallelism{}, completions{}, retries{}, time_limit{};
  std::optional<Field> retries_at{};  // where those are said
  std::optional<Field> indexed{};     // where it says that each has an index
  // Of a JobSet's: how many such jobs there are, and the level of which each has a domain, where it is said.
  std::int64_t replicas = 1;
  std::optional<Field> exclusive{};
};
// `part` is not yet settled. Nothing: what is wrong is reported.
std::optional<JobPods> read_job_pods(Keys& spec, std::string_view container);
// A JobSet's replicated job: its pods are the part's nodes. Nothing: it is wrong, or there are none.
std::optional<JobPods> read_replicated_job(const Field& field, std::string_view container, Remarks& remarks);
// Each of these jobs has a domain of the level `exclusive` for itself: that it is in one is said.
void take_exclusive_level(JobPods& pods, Remarks& remarks);

// jobset_policies.cc: failure, success and the like of a JobSet.
void read_jobset_policies(Keys& spec, Draft& draft);

// retries.cc

// How often a job may fail of its own; at most what a job file takes.
std::optional<std::int64_t> read_retries(const Field& field, Remarks& remarks);
// Those of its jobs, where the whole says nothing of it; warns of those that are not written.
void take_retries(const std::vector<JobPods>& jobs, Draft& draft, Remarks& remarks);
// On a restartPolicy. Precondition: the draft's retries are read.
void remark_on_restarts(const std::optional<Field>& policy, const Draft& draft, Remarks& remarks);

// Words, launcher, and what follows from both. Complains where there is nothing to run, with what to write instead.
void settle(Part& part, Remarks& remarks, std::string_view hint);

}  // namespace ym::convert
