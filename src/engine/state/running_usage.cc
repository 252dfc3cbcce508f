// Usage of running jobs, by queue and user.
#include "engine/state/impl.h"

namespace ym::engine {

std::vector<UsageEntry> State::Impl::usage_of(JobId job) const {
  const LiveAttempt& held = *live.find(job);
  std::vector<UsageEntry> entries;
  for (const FlavorIndex flavor : held.flavors.each())
    entries.push_back({.queue = queue_names[held.queue],
                       .user = user_names[jobs.find(job)->user],
                       .flavor = inventory.flavor_names[flavor],
                       .amounts = held.in(flavor)});
  return entries;
}

UsageRows State::Impl::running_usage() const {
  UsageRows rows;
  for (const auto& [job, held] : live)
    for (const UsageEntry& entry : usage_of(job)) enter(rows, entry, {});
  return rows;
}

}  // namespace ym::engine
