#include "engine/cycle/stop/yielding.h"

#include <algorithm>

#include "engine/cycle/reserve.h"
#include "engine/preemption/preemptible_jobs.h"
#include "engine/state/deadlines.h"

namespace ym::engine {

Instant yields_by(const Inputs& in, const JobRow& job, QueueIndex queue, Instant begun) {
  if (!job.preemptible || !in.policy.preempt_phase || rule_of(in, queue) == PreemptRule::never) return kNever;
  // Its deadline may protect it.
  if (latest_start(job) && in.state.orders.by_deadline(queue)) return kNever;
  const Queue* rules = in.rules[queue];
  const Instant ran = after(begun, std::max(job.min_runtime, rules ? rules->min_runtime.priority : Duration{}));
  const Instant rests = preemption_limit_until(in.state, job.id, in.policy.preemptions_per_hour);
  return after(std::max({in.now, ran, rests}), job.grace);
}

Instant yields_to(const Inputs& in, const Tried& tried, Slot slot, const Claims& holder) {
  const JobRow& job = in.state.jobs[slot];
  const Allocation& allocation = in.state.allocations.allocation(slot);
  if (allocation.queue != holder.queue || allocation.ending.leaving) return kNever;
  if (!may_stop(rule_of(in, holder.queue), holder, claims_of(job, holder.queue))) return kNever;
  const LiveAttempt* live = in.state.live.find(job.id);
  if (live && !can_be_stopped(job, *live)) return kNever;
  return yields_by(in, job, holder.queue, tried.reservations.calendar().begun(allocation.ending));
}

const Yielding& yielding_to(const Inputs& in, const Tried& tried, Findings& known, const Claims& holder) {
  auto& last = known.yielding[holder.queue];
  if (last && last->priority == holder.priority && last->touches == in.state.touches &&
      last->arrived_after < holder.arrived_at && holder.arrived_at <= last->arrived_by &&
      rule_of(in, holder.queue) != PreemptRule::any)
    return last->yielding;
  last = {.priority = holder.priority, .touches = in.state.touches, .yielding = {}};
  Yielding& found = last->yielding;
  for (const Slot slot : in.state.allocations.of_queue(holder.queue)) {
    const Instant stopped = in.state.jobs[slot].stopped_at;
    if (may_stop_again(holder.arrived_at, stopped)) last->arrived_after = std::max(last->arrived_after, stopped);
    else last->arrived_by = std::min(last->arrived_by, stopped);
    const Instant gone = yields_to(in, tried, slot, holder);
    if (gone == kNever) continue;
    const auto& nodes = in.state.allocations.allocation(slot).nodes;
    found.jobs.push_back({.slot = slot, .gone = gone});
    found.nodes.insert(found.nodes.end(), nodes.begin(), nodes.end());
  }
  std::ranges::sort(found.jobs, {}, &Yielding::Job::slot);
  std::ranges::sort(found.nodes);
  return found;
}

}  // namespace ym::engine
