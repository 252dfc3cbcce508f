// Queues that are drained: who runs in them is stopped, for nobody.
#include "engine/cycle/cycle.h"
#include "engine/preemption/roster.h"

namespace ym::engine {

void drain(Cycle& cycle) {
  const QueueStops& stops = cycle.state.stops;
  if (!stops.any_drained() || !cycle.policy.preempt_phase) return;
  const Losses losses(cycle.state, cycle.policy.restart_cost, cycle.now);
  std::vector<JobId> departing;
  for (const auto& [job, live] : cycle.state.live) {
    const QueueIndex drained_by = stops.drained_by(live.queue);
    if (drained_by == kNone || live.stopping || live.unreachable) continue;
    cycle.plan.decisions.emplace_back(Eviction{.job = job,
                                               .attempt = live.number,
                                               .lost_gpu_ms = losses.of(job, live).gpu_ms,
                                               .queue = cycle.state.queue_names[drained_by]});
    departing.push_back(job);
  }
  for (const JobId job : departing) cycle.trial.depart(job);
}

}  // namespace ym::engine
