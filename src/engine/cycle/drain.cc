// Drained queues: their running jobs are stopped, though no other job needs the room.
#include "engine/cycle/cycle.h"
#include "engine/preemption/preemptible_jobs.h"

namespace ym::engine {

void drain(const Inputs& in, Tried& tried, Output& out) {
  const QueueStops& stops = in.state.stops;
  if (!stops.any_drained() || !in.policy.preempt_phase) return;
  const Losses losses(in.state, in.policy.restart_cost, in.now);
  std::vector<JobId> departing;
  for (const auto& [job, live] : in.state.live) {
    const QueueIndex drained_by = stops.drained_by(live.queue);
    if (drained_by == kNone || live.stopping || live.unreachable) continue;
    out.plan.decisions.emplace_back(Eviction{.job = job,
                                             .attempt = live.number,
                                             .lost_gpu_ms = losses.of(job, live).gpu_ms,
                                             .queue = in.state.queue_names[drained_by]});
    departing.push_back(job);
  }
  for (const JobId job : departing) tried.trial.depart(job);
}

}  // namespace ym::engine
