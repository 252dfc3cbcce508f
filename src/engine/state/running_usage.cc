// What runs, as usage of queues and users is entered.
#include "engine/state/impl.h"

namespace ym::engine {

UsageEntry State::Impl::usage_of(JobId job) const {
  const LiveAttempt& held = *live.find(job);
  return {.queue = queue_names[held.queue],
          .user = user_names[jobs.find(job)->user],
          .flavor = inventory.flavor_names[held.flavor],
          .amounts = held.total()};
}

UsageRows State::Impl::running_usage() const {
  UsageRows rows;
  for (const auto& [job, held] : live) enter(rows, usage_of(job), {});
  return rows;
}

}  // namespace ym::engine
