#include "engine/state/run_times.h"

#include <algorithm>

#include "engine/reserve/walltime.h"

namespace ym::engine {
namespace {

Duration part_of(const PredictedRunTime& predicted, Pace pace) {
  switch (pace) {
    case Pace::quick: return predicted.p10;
    case Pace::usual: return predicted.p50;
    case Pace::slow: return predicted.p90;
  }
  return predicted.p50;
}

// The whole run time, if it has already run for `elapsed`.
std::optional<Duration> longest_after(const JobRow& job, Pace pace, Duration elapsed) {
  for (const Pace next : {Pace::usual, Pace::slow}) {
    if (next < pace) continue;
    const auto expected = expected_run_time(job, next);
    if (!expected || *expected > elapsed) return expected;
  }
  const Duration longer{elapsed.ms + elapsed.ms / 2};
  return job.time_limit ? std::min(longer, *job.time_limit) : longer;
}

std::optional<Duration> expected_after(const JobRow& job, Pace pace, Duration elapsed) {
  if (pace != Pace::quick) return longest_after(job, pace, elapsed);
  const auto expected = expected_run_time(job, pace);
  if (!expected || *expected > elapsed) return expected;
  const auto slow = longest_after(job, Pace::slow, elapsed);
  return slow ? std::optional(Duration{elapsed.ms + std::max<std::int64_t>(0, slow->ms - elapsed.ms) / 10})
              : std::nullopt;
}

}  // namespace

std::optional<Duration> expected_run_time(const JobRow& job, Pace pace) {
  if (job.predicted) {
    const Duration expected = part_of(*job.predicted, pace);
    return job.time_limit ? std::min(expected, *job.time_limit) : expected;
  }
  if (job.time_limit && pace == Pace::quick) return Duration{job.time_limit->ms / 10};
  return job.time_limit;
}

std::optional<Duration> declared_or_own_run_time(const JobRow& job) {
  if (job.predicted && job.predicted->of_same_user) return expected_run_time(job, Pace::usual);
  return job.time_limit;
}

std::optional<Instant> expected_end(const JobRow& job, const LiveAttempt& attempt, Pace pace, Instant now) {
  const Instant start = attempt.started_at.value_or(now);
  const auto expected = expected_after(job, pace, std::max(now - start, Duration{0}));
  if (!expected) return std::nullopt;
  return std::max(now, after(start, *expected));
}

}  // namespace ym::engine
