#include "papers/queueing/reservation.h"

#include <algorithm>

namespace ym::sim::queueing {

Reservation::Reservation(const RunningJobs& running, Count gpus) : then_(running.nodes()), gpus_(gpus) {
  for (const auto& [end_us, job] : running.ends()) {
    then_.give_back(running.placement(job));
    at_us_ = end_us;
    if (may_fit(running.placement(job)) && then_.find(gpus_, service::Fit::best)) return;
  }
}

// Only nodes that have become so free can make the difference; that spares the search.
bool Reservation::may_fit(const Placement& freed) const {
  const Count least = std::min(gpus_, gpus_ % then_.per_node() == 0 ? then_.per_node() : gpus_ % then_.per_node());
  return std::ranges::any_of(freed, [&](const auto& share) { return then_.free(share.node) >= least; });
}

bool Reservation::admits(const Placement& placement, Micros end_us) {
  if (end_us <= at_us_) return true;
  then_.take(placement);
  if (then_.find(gpus_, service::Fit::best)) return true;
  then_.give_back(placement);
  return false;
}

}  // namespace ym::sim::queueing
