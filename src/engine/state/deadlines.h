// Deadlines: when a job has to start at the latest, so that its time limit ends before its deadline.
//
// Only the time limit counts here: no guess decides the order of jobs or which ones are protected from stops.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "base/time.h"
#include "engine/reserve/walltime.h"
#include "engine/state/job_table.h"
#include "engine/state/live.h"

namespace ym::engine {

// Nothing: the job has no deadline, or no time limit.
inline std::optional<Instant> latest_start(const JobRow& job) {
  if (!job.deadline || !job.time_limit) return std::nullopt;
  return *job.deadline - *job.time_limit;
}

// Whether the job may miss its deadline even if it starts now.
inline bool is_late(const JobRow& job, Instant now) {
  return job.deadline && now > latest_start(job).value_or(*job.deadline);
}

// Until when a stop of the attempt would make it miss a deadline that it meets if it continues. `saved`: time of its
// last save. 0: a stop would not.
inline Instant keeps_deadline_until(const JobRow& job, const LiveAttempt& attempt, std::optional<Instant> saved,
                                    Instant now) {
  if (!job.deadline || !job.time_limit) return {};
  const Instant begun = attempt.started_at.value_or(now);
  if (after(begun, *job.time_limit) > *job.deadline) return {};
  const Duration done = saved && *saved > begun ? *saved - begun : Duration{};
  const Instant again = after(after(now, job.grace), {std::max<std::int64_t>(0, job.time_limit->ms - done.ms)});
  return again > *job.deadline ? *job.deadline : Instant{};
}

}  // namespace ym::engine
