// What is asked of the rows, beside the fold.
#include <limits>

#include "base/assert.h"
#include "model/tables.h"

namespace ym {

const Attempt* Tables::live_attempt(JobId job) const {
  // Attempts of a job are neighbours, and only the newest can be live.
  const auto after = attempts.upper_bound(AttemptKey{job, std::numeric_limits<std::int32_t>::max()});
  if (after == attempts.begin()) return nullptr;
  const Attempt& newest = std::prev(after)->second;
  return newest.job == job && newest.state != AttemptState::ended ? &newest : nullptr;
}

UsageEntry usage_of(const Attempt& attempt, const Job& job) {
  return {.queue = attempt.queue,
          .user = job.owner,
          .flavor = attempt.flavor,
          .amounts = job.spec->resources.vector() * std::ssize(attempt.placement)};
}

Cost cost_until(const Attempt& attempt, const Job& job, const Flavor* flavor, Instant time) {
  const std::int64_t gpus_milli = job.spec->resources.gpus * std::ssize(attempt.placement);
  const Duration ran = attempt.started_at && time > *attempt.started_at ? time - *attempt.started_at : Duration{};
  return cost_of(gpus_milli, ran, flavor ? flavor->price_micros_per_gpu_hour : 0);
}

UsageRows running_usage(const Tables& tables) {
  UsageRows rows;
  for (const auto& [key, attempt] : tables.attempts)
    if (attempt.state != AttemptState::ended) enter(rows, usage_of(attempt, tables.jobs.at(key.job)), {});
  return rows;
}

void forget(Tables& tables, JobId job) {
  const auto it = tables.jobs.find(job);
  YM_ASSERT(it != tables.jobs.end() && is_terminal(it->second.state));
  tables.jobs.erase(it);
  const auto first = tables.attempts.lower_bound(AttemptKey{job, 0});
  const auto last = tables.attempts.upper_bound(AttemptKey{job, std::numeric_limits<std::int32_t>::max()});
  tables.attempts.erase(first, last);
}

}  // namespace ym
