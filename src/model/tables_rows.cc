// What is asked of the rows, beside the fold.
#include <limits>

#include "base/assert.h"
#include "model/flavor_mix.h"
#include "model/tables.h"

namespace ym {

const Attempt* Tables::live_attempt(JobId job) const {
  // Attempts of a job are neighbours, and only the newest can be live.
  const auto after = attempts.upper_bound(AttemptKey{job, std::numeric_limits<std::int32_t>::max()});
  if (after == attempts.begin()) return nullptr;
  const Attempt& newest = std::prev(after)->second;
  return newest.job == job && newest.state != AttemptState::ended ? &newest : nullptr;
}

namespace {

// Calls `each` with the flavor, and how many tasks of the attempt are of it.
template <class Each>
void for_each_flavor(const Attempt& attempt, const Job& job, Each each) {
  const FlavorMix mix = split_flavors(attempt.flavor);
  const std::int64_t anchor = mix.anchor.empty() ? 0 : job.spec->placement.anchor;
  if (anchor > 0) each(std::string(mix.anchor), anchor);
  each(std::string(mix.rest), std::ssize(attempt.placement) - anchor);
}

}  // namespace

std::vector<UsageEntry> usage_of(const Attempt& attempt, const Job& job) {
  std::vector<UsageEntry> entries;
  for_each_flavor(attempt, job, [&](std::string flavor, std::int64_t tasks) {
    entries.push_back({.queue = attempt.queue,
                       .user = job.owner,
                       .flavor = std::move(flavor),
                       .amounts = job.spec->resources.vector() * tasks});
  });
  return entries;
}

Cost cost_until(const Attempt& attempt, const Job& job, const std::map<std::string, Flavor>& flavors, Instant time) {
  const Duration ran = attempt.started_at && time > *attempt.started_at ? time - *attempt.started_at : Duration{};
  Cost cost;
  for_each_flavor(attempt, job, [&](const std::string& name, std::int64_t tasks) {
    const auto flavor = flavors.find(name);
    const std::int64_t price = flavor == flavors.end() ? 0 : flavor->second.price_micros_per_gpu_hour;
    cost += cost_of(job.spec->resources.gpus * tasks, ran, price);
  });
  return cost;
}

UsageRows running_usage(const Tables& tables) {
  UsageRows rows;
  for (const auto& [key, attempt] : tables.attempts)
    if (attempt.state != AttemptState::ended)
      for (const UsageEntry& entry : usage_of(attempt, tables.jobs.at(key.job))) enter(rows, entry, {});
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
