// The kinds of manifests that become jobs, one reader each.
#pragma once

#include <optional>
#include <string_view>

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
// How often a job may fail of its own; at most what a job file takes.
std::optional<std::int64_t> read_retries(const Field& field, Remarks& remarks);
std::optional<std::int64_t> read_count(Keys& keys, std::string_view key);

// The pods of a batch Job.
struct JobPods {
  Part part;
  std::optional<std::int64_t> parallelism{}, completions{}, retries{}, time_limit{};
  bool indexed = false;
};
// `part` is not yet settled. Nothing: what is wrong is reported.
std::optional<JobPods> read_job_pods(Keys& spec, std::string_view container);
// A JobSet's replicated job: its pods are the part's nodes. `exclusive`: the level of which each of its jobs has a
// domain, where the JobSet says it for all. Nothing: it is wrong, or there are none.
std::optional<JobPods> read_replicated_job(const Field& field, std::string_view container,
                                           const std::optional<Field>& exclusive, Remarks& remarks);

// Words, launcher, and what follows from both. Complains where there is nothing to run, with what to write instead.
void settle(Part& part, Remarks& remarks, std::string_view hint);

}  // namespace ym::convert
