#include "engine/cycle/stop/yielding.h"

#include <algorithm>

#include "engine/cycle/reserve.h"
#include "engine/preemption/roster.h"
#include "engine/state/deadlines.h"

namespace ym::engine {

Instant yields_by(const Inputs& in, const JobRow& job, QueueIndex queue, Instant begun) {
  if (!job.preemptible || !in.policy.preempt_phase || rule_of(in, queue) == PreemptRule::never) return kNever;
  // Its deadline may protect it.
  if (latest_start(job) && in.state.orders.by_deadline(queue)) return kNever;
  const Queue* rules = in.rules[queue];
  const Instant ran = after(begun, std::max(job.min_runtime, rules ? rules->min_runtime.priority : Duration{}));
  const Instant rests = rests_until(in.state, job.id, in.policy.preemptions_per_hour);
  return after(std::max({in.now, ran, rests}), job.grace);
}

Instant yields_to(const Cycle& cycle, Slot slot, const Claims& holder) {
  const JobRow& job = cycle.in.state.jobs[slot];
  const Allocation& allocation = cycle.in.state.allocations.allocation(slot);
  if (allocation.queue != holder.queue || allocation.ending.leaving) return kNever;
  if (!may_stop(rule_of(cycle.in, holder.queue), holder, claims_of(job, holder.queue))) return kNever;
  const LiveAttempt* live = cycle.in.state.live.find(job.id);
  if (live && !can_be_stopped(job, *live)) return kNever;
  return yields_by(cycle.in, job, holder.queue, cycle.tried.reservations.calendar().begun(allocation.ending));
}

const Yielding& yielding_to(Cycle& cycle, Rank rank) {
  const QueueIndex queue = cycle.queue_of(rank);
  const Claims holder = claims_of(cycle.job(rank), queue);
  auto& known = cycle.known.yielding[queue];
  if (known && known->priority == holder.priority && known->touches == cycle.in.state.touches &&
      known->arrived_after < holder.arrived_at && holder.arrived_at <= known->arrived_by &&
      rule_of(cycle.in, queue) != PreemptRule::any)
    return known->yielding;
  known = {.priority = holder.priority, .touches = cycle.in.state.touches, .yielding = {}};
  Yielding& found = known->yielding;
  for (const Slot slot : cycle.in.state.allocations.of_queue(queue)) {
    const Instant stopped = cycle.in.state.jobs[slot].stopped_at;
    if (is_unspent(holder.arrived_at, stopped)) known->arrived_after = std::max(known->arrived_after, stopped);
    else known->arrived_by = std::min(known->arrived_by, stopped);
    const Instant gone = yields_to(cycle, slot, holder);
    if (gone == kNever) continue;
    const auto& nodes = cycle.in.state.allocations.allocation(slot).nodes;
    found.jobs.push_back({.slot = slot, .gone = gone});
    found.nodes.insert(found.nodes.end(), nodes.begin(), nodes.end());
  }
  std::ranges::sort(found.jobs, {}, &Yielding::Job::slot);
  std::ranges::sort(found.nodes);
  return found;
}

}  // namespace ym::engine
