#include "engine/cycle/take_back.h"

#include <algorithm>
#include <utility>

#include "engine/cycle/reserve.h"

namespace ym::engine {

void take_back(Cycle& cycle, Running& admitted, Rank by) {
  const Fresh& fresh = cycle.fresh_of(admitted.rank);
  if (fresh.into_hold)
    cycle.tried.gave_up.try_emplace(
        admitted.job,
        HoldRelease{.job = admitted.job,
                    .why = "its place is given to job " + to_string(cycle.job(by).id) + ", which goes first"});
  cycle.tried.undone.push_back(fresh.decision);
  cycle.tried.trial.release_grant(admitted.job);
  cycle.seat(admitted.rank).standing = Standing::open;
  cycle.leave(admitted.rank);
  admitted.gone = true;
}

// At the smallest size: by what an elastic job took beyond that it might borrow, and be taken back
// itself.
bool admit_instead(Cycle& cycle, Rank rank, const Flavors& flavors, const RoomPlan& plan) {
  if (!std::ranges::all_of(plan.victims, &Running::fresh)) return false;
  const Shape& shape = cycle.shape(rank);
  const auto mark = cycle.tried.trial.mark();
  for (const Running* victim : plan.victims) cycle.tried.trial.depart(victim->job);
  const Tenure tenure = tenure_of(cycle, rank);
  std::optional<Choice> choice;
  if (!cycle.quota_stops(shape, flavors, tenure))
    choice = choose(cycle.in.state.inventory, cycle.in.scorer, flavors, shape.need(), cycle.access(tenure));
  cycle.tried.trial.roll_back(mark);
  if (!choice) return false;
  for (Running* victim : plan.victims) take_back(cycle, *victim, rank);
  admit(cycle, rank, flavors, std::move(*choice));
  return true;
}

void tidy_plan(Tried& tried, Output& out) {
  if (!tried.took_back()) return;
  std::ranges::sort(tried.undone);
  std::vector<Decision> kept;
  for (auto& [job, release] : tried.gave_up) kept.emplace_back(std::move(release));
  for (std::size_t i = 0; i < out.plan.decisions.size(); ++i)
    if (!std::ranges::binary_search(tried.undone, i)) kept.push_back(std::move(out.plan.decisions[i]));
  out.plan.decisions = std::move(kept);
}

}  // namespace ym::engine
