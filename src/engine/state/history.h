// What a job's attempts have left behind that decides something: its checkpoints, and how often
// it had to make room.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "base/time.h"
#include "model/job.h"

namespace ym::engine {

// The same lists as the job's row has, kept in the same way.
struct Past {
  std::vector<Checkpoint> checkpoints;  // newest first
  std::vector<Instant> preempted_at;    // newest first
};

// Only jobs with something to remember have an entry.
class History {
 public:
  void load(const Job& job);
  void forget(JobId job) { pasts_.erase(job); }
  void saved(JobId job, const Checkpoint& checkpoint);
  void skipped(JobId job, const Checkpoint& checkpoint);
  void preempted(JobId job, Instant at);

  // The newest save among those that this attempt made.
  std::optional<Instant> durable_at(JobId job, std::int32_t attempt) const;
  // When the last but n-1 preemption was: the last for n = 1. Precondition: n > 0.
  std::optional<Instant> nth_last_preemption(JobId job, std::int32_t n) const;

 private:
  std::map<JobId, Past> pasts_;
};

}  // namespace ym::engine
