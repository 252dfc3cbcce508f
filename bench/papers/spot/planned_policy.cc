#include "papers/spot/planned_policy.h"

#include <utility>

#include "papers/spot/deadline_guard.h"

namespace ym::sim::spot {

const Plan& Plans::plan(const Belief& belief) {
  const auto known = plans_.find(belief);
  return known != plans_.end() ? known->second : plans_.try_emplace(belief, job_, chain_of(belief)).first->second;
}

Place planned_place(const Job& job, const JobState& state, const View& view, const Estimator& estimator, Plans& plans) {
  const auto zone = state.place.mode == Mode::spot ? std::optional(state.place.zone) : estimator.steadiest_zone(view);
  Mode mode = plans.plan(estimator.belief(zone, view.gang))
                  .choose({.to_deadline_ms = job.deadline_ms - state.now_ms,
                           .slack_ms = slack_ms(job, state) - state.start_left_ms,
                           .mode = state.place.mode,
                           .state = estimator.state(zone)});
  // With other zones to go on to, it does not pay to wait and see whether one lasts.
  if (mode == Mode::idle && zone && view.zones() > 1) mode = Mode::spot;
  const Place wanted = mode == Mode::spot ? on_spot(*zone) : Place{.mode = mode};
  return guarded(job, state, wanted, view.tick_ms);
}

PlannedPolicy::PlannedPolicy(Plans& plans, Estimator estimator) : plans_(plans), estimator_(std::move(estimator)) {}

Place PlannedPolicy::decide(const Job& job, const JobState& state, const View& view) {
  estimator_.see(view);
  return planned_place(job, state, view, estimator_, plans_);
}

}  // namespace ym::sim::spot
