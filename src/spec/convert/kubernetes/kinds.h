// The kinds of manifests that become jobs, one reader for each.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "spec/convert/draft.h"

namespace ym::convert {

std::optional<Draft> read_job(const Field& document, Remarks& remarks);
std::optional<Draft> read_jobset(const Field& document, Remarks& remarks);
std::optional<Draft> read_pytorchjob(const Field& document, Remarks& remarks);
// `runtime`: the TrainingRuntime that the manifest refers to, if the input has it.
std::optional<Draft> read_trainjob(const Field& document, const std::optional<Field>& runtime, Remarks& remarks);

// Shared by the readers.

// Reads name, queue and the settings for Kueue. Adds remarks on the other labels.
void read_metadata(Keys& document, Draft& draft);
// Reads `suspend`, `ttlSecondsAfterFinished`, `managedBy`. Precondition: the metadata is read.
void read_lifecycle(Keys& spec, const Draft& draft);
std::optional<std::int64_t> read_count(Keys& keys, std::string_view key);
// The shorter of two limits. Each may be missing.
std::optional<std::int64_t> shorter(std::optional<std::int64_t> a, std::optional<std::int64_t> b);

// The pods of a batch Job.
struct JobPods {
  Part part;
  std::optional<std::int64_t> parallelism{}, completions{}, retries{}, time_limit{};
  std::optional<Field> retries_at{};  // where `retries` is set
  std::optional<Field> indexed{};     // where completionMode is Indexed
  // In a JobSet: number of such jobs, and the topology level in which each has its own domain, if it is set.
  std::int64_t replicas = 1;
  std::optional<Field> exclusive{};
};
// `part` is not yet settled. Nothing: an error is reported.
std::optional<JobPods> read_job_pods(Keys& spec, std::string_view container);
// Reads a replicated job of a JobSet; the part's nodes are its pods. Nothing: an error is reported, or it has no
// pods.
std::optional<JobPods> read_replicated_job(const Field& field, std::string_view container, Remarks& remarks);
// Places each of these jobs in a domain of the level `exclusive`. Warns that other jobs may use the domain too.
void take_exclusive_level(JobPods& pods, Remarks& remarks);

// jobset_policies.cc: failure policy, success policy and the like.
void read_jobset_policies(Keys& spec, Draft& draft);

// retries.cc

// Retries after errors of the job, cut to the limit of a job file.
std::optional<std::int64_t> read_retries(const Field& field, Remarks& remarks);
// Takes the retries of the jobs if the whole sets none. Warns of retries that are not written.
void take_retries(const std::vector<JobPods>& jobs, Draft& draft, Remarks& remarks);
// Adds remarks on a restartPolicy. Precondition: the draft's retries are read.
void remark_on_restarts(const std::optional<Field>& policy, const Draft& draft, Remarks& remarks);

// Settles words, launcher, and what depends on them. Reports a part without a program; `hint` says what to write.
void settle(Part& part, Remarks& remarks, std::string_view hint);

}  // namespace ym::convert
