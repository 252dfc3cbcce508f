// Deadlines: by when a job has to start so that its time limit is over before its own.
//
// Only the limit counts here: what orders jobs and spares them goes by nothing that is guessed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "base/time.h"
#include "engine/reserve/walltime.h"
#include "engine/state/job_table.h"
#include "engine/state/live.h"

namespace ym::engine {

// Nothing: it has no deadline, or no time limit.
inline std::optional<Instant> latest_start(const JobRow& job) {
  if (!job.deadline || !job.time_limit) return std::nullopt;
  return *job.deadline - *job.time_limit;
}

// Whether it may miss its deadline whenever it starts from now on.
inline bool is_late(const JobRow& job, Instant now) {
  return job.deadline && now > latest_start(job).value_or(*job.deadline);
}

// Until when a stop of the attempt would cost it a deadline that it makes if it goes on. `saved`: when it last
// saved what it had done. 0: it would not.
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
