// Who is considered, and in which order.
#include <algorithm>

#include "engine/cycle/cycle.h"

namespace ym::engine {
Standing standing_of(const Cycle& cycle, const JobRow& job) {
  if (job.waiting == Waiting::held) return Standing::held;
  if (cycle.state.quota.fault(cycle.state.shape_of(job).queue) != QueueFault::none) return Standing::misconfigured;
  if (job.not_before && *job.not_before > cycle.now) return Standing::backoff;
  return Standing::open;
}

void order(Cycle& cycle) {
  const auto& waiting = cycle.state.jobs.waiting();
  cycle.order.reserve(waiting.size());
  // Who is to be cancelled waits for nothing any more.
  for (const Index slot : waiting)
    if (!cycle.state.jobs[slot].cancel_requested) cycle.order.push_back(slot);
  if (!cycle.policy.order_phase)
    std::ranges::sort(cycle.order, {}, [&](Index slot) { return cycle.state.jobs[slot].id; });
  cycle.standing.reserve(cycle.order.size());
  for (const Index slot : cycle.order) {
    const JobRow& job = cycle.state.jobs[slot];
    const Standing standing = standing_of(cycle, job);
    if (standing == Standing::open) cycle.cases[job.shape].open = true;
    if (standing == Standing::backoff) cycle.wake_at(*job.not_before);
    cycle.standing.push_back(cycle.state.holds.find(job.id) ? Standing::kept : standing);
  }
}

}  // namespace ym::engine
