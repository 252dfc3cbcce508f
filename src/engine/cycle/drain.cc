// Queues that are drained: who runs in them is stopped, for nobody.
#include "engine/cycle/cycle.h"
#include "engine/preemption/roster.h"

namespace ym::engine {

void drain(Cycle& cycle) {
  const QueueStops& stops = cycle.in.state.stops;
  if (!stops.any_drained() || !cycle.in.policy.preempt_phase) return;
  const Losses losses(cycle.in.state, cycle.in.policy.restart_cost, cycle.in.now);
  std::vector<JobId> departing;
  for (const auto& [job, live] : cycle.in.state.live) {
    const QueueIndex drained_by = stops.drained_by(live.queue);
    if (drained_by == kNone || live.stopping || live.unreachable) continue;
    cycle.out.plan.decisions.emplace_back(Eviction{.job = job,
                                                   .attempt = live.number,
                                                   .lost_gpu_ms = losses.of(job, live).gpu_ms,
                                                   .queue = cycle.in.state.queue_names[drained_by]});
    departing.push_back(job);
  }
  for (const JobId job : departing) cycle.tried.trial.depart(job);
}

}  // namespace ym::engine
