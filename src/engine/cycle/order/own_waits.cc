#include "engine/cycle/order/own_waits.h"

#include <algorithm>

namespace ym::engine {
namespace {

Duration mean_wait(const State::Impl& state, QueueIndex queue) {
  std::int64_t sum_ms = 0, jobs = 0;
  for (const Slot slot : state.allocations.of_queue(queue)) {
    const Ending& ending = state.allocations.allocation(slot).ending;
    // An admitted job counts once it has started: that is an event, after which all is decided anew.
    if (!ending.started_at || !ending.admitted_at) continue;
    sum_ms += std::max<std::int64_t>(0, (*ending.admitted_at - state.jobs[slot].waits_since).ms);
    jobs += 1;
  }
  return {jobs == 0 ? 0 : sum_ms / jobs};
}

}  // namespace

Duration OwnWaits::of_queue(QueueIndex queue) {
  auto& known = by_queue_[queue];
  if (!known) known = mean_wait(state_, queue);
  return *known;
}

}  // namespace ym::engine
