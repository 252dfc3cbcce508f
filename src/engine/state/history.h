// What a job's attempts left behind that later decisions need: its checkpoints, and when it was preempted.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "base/time.h"
#include "model/job.h"

namespace ym::engine {

// Has the same lists as the job's row, kept in the same way.
struct Past {
  std::vector<Checkpoint> checkpoints;  // newest first
  std::vector<Instant> preempted_at;    // newest first
};

// Only jobs that have such a list have an entry.
class History {
 public:
  void load(const Job& job);
  void forget(JobId job) { pasts_.erase(job); }
  void saved(JobId job, const Checkpoint& checkpoint);
  void skipped(JobId job, const Checkpoint& checkpoint);
  void preempted(JobId job, Instant at);

  // Time of this attempt's newest save.
  std::optional<Instant> durable_at(JobId job, std::int32_t attempt) const;
  // Time of the n-th last preemption; n = 1: the last. Precondition: n > 0.
  std::optional<Instant> nth_last_preemption(JobId job, std::int32_t n) const;

 private:
  std::map<JobId, Past> pasts_;
};

}  // namespace ym::engine
