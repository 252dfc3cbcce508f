#include "engine/cycle/yielding.h"

#include <algorithm>

#include "engine/cycle/reserve.h"
#include "engine/preemption/roster.h"
#include "engine/state/deadlines.h"

namespace ym::engine {

Instant yields_by(const Cycle& cycle, const JobRow& job, QueueIndex queue, Instant begun) {
  if (!job.preemptible || !cycle.policy.preempt_phase || rule_of(cycle, queue) == PreemptRule::never) return kNever;
  // It may be spared for the sake of its deadline.
  if (latest_start(job) && cycle.state.orders.by_deadline(queue)) return kNever;
  const Queue* rules = cycle.rules[queue];
  const Instant ran = after(begun, std::max(job.min_runtime, rules ? rules->min_runtime.priority : Duration{}));
  const Instant rests = rests_until(cycle.state, job.id, cycle.policy.preemptions_per_hour);
  return after(std::max({cycle.now, ran, rests}), job.grace);
}

Instant yields_to(const Cycle& cycle, Slot slot, const Claims& holder) {
  const JobRow& job = cycle.state.jobs[slot];
  const Tenant& tenant = cycle.state.stays.tenant(slot);
  if (tenant.queue != holder.queue || tenant.ending.leaving) return kNever;
  if (!may_stop(rule_of(cycle, holder.queue), holder, claims_of(job, holder.queue))) return kNever;
  const LiveAttempt* live = cycle.state.live.find(job.id);
  if (live && !can_be_stopped(job, *live)) return kNever;
  return yields_by(cycle, job, holder.queue, cycle.reservations.calendar().begun(tenant.ending));
}

const Yielding& yielding_to(Cycle& cycle, Rank rank) {
  const QueueIndex queue = cycle.queue_of(rank);
  const Claims holder = claims_of(cycle.job(rank), queue);
  auto& known = cycle.yielding[queue];
  if (known && known->priority == holder.priority && known->touches == cycle.state.touches &&
      known->arrived_after < holder.arrived_at && holder.arrived_at <= known->arrived_by &&
      rule_of(cycle, queue) != PreemptRule::any)
    return known->yielding;
  known = {.priority = holder.priority, .touches = cycle.state.touches, .yielding = {}};
  Yielding& found = known->yielding;
  for (const Slot slot : cycle.state.stays.of_queue(queue)) {
    const Instant stopped = cycle.state.jobs[slot].stopped_at;
    if (is_unspent(holder.arrived_at, stopped)) known->arrived_after = std::max(known->arrived_after, stopped);
    else known->arrived_by = std::min(known->arrived_by, stopped);
    const Instant gone = yields_to(cycle, slot, holder);
    if (gone == kNever) continue;
    const auto& nodes = cycle.state.stays.tenant(slot).nodes;
    found.jobs.push_back({.slot = slot, .gone = gone});
    found.nodes.insert(found.nodes.end(), nodes.begin(), nodes.end());
  }
  std::ranges::sort(found.jobs, {}, &Yielding::Job::slot);
  std::ranges::sort(found.nodes);
  return found;
}

}  // namespace ym::engine
