#include "engine/cycle/stop/revoke.h"

#include <algorithm>
#include <utility>

#include "engine/cycle/reserve.h"

namespace ym::engine {

void revoke(const Inputs& in, PendingEntries& pending, Tried& tried, Running& admitted, Rank by) {
  const TentativeAdmission& tentative = tried.tentative.at(admitted.slot);
  if (tentative.into_nomination)
    tried.gave_up.try_emplace(
        admitted.job, NominationRelease{.job = admitted.job,
                                        .why = "its place is given to job " + to_string(job_of(in, pending, by).id) +
                                               ", which goes first"});
  tried.revoked.push_back(tentative.decision);
  tried.trial.release_grant(admitted.job);
  pending.entry(admitted.rank).status = EntryStatus::open;
  tried.leave(in, admitted.slot);
  admitted.gone = true;
}

// At the smallest size: what an elastic job took beyond that might be borrowed, and be reclaimed in turn.
bool admit_instead(Cycle& cycle, Rank rank, const Flavors& flavors, const RoomPlan& plan) {
  if (!std::ranges::all_of(plan.preempted_jobs, &Running::tentative)) return false;
  const Shape& shape = cycle.shape(rank);
  const auto mark = cycle.tried.trial.mark();
  for (const Running* preempted : plan.preempted_jobs) cycle.tried.trial.depart(preempted->job);
  const Walltime walltime = walltime_of(cycle.in, cycle.pending, cycle.tried, rank);
  std::optional<Choice> choice;
  if (!cycle.tried.quota_stops(cycle.in, shape, flavors, walltime))
    choice = choose(cycle.in.state.inventory, cycle.in.scorer, flavors, shape.need(),
                    cycle.tried.access(cycle.in, cycle.known, walltime));
  cycle.tried.trial.roll_back(mark);
  if (!choice) return false;
  for (Running* preempted : plan.preempted_jobs) revoke(cycle.in, cycle.pending, cycle.tried, *preempted, rank);
  admit(cycle, rank, flavors, std::move(*choice));
  return true;
}

void tidy_plan(Tried& tried, Output& out) {
  if (!tried.has_revoked()) return;
  std::ranges::sort(tried.revoked);
  std::vector<Decision> kept;
  for (auto& [job, release] : tried.gave_up) kept.emplace_back(std::move(release));
  for (std::size_t i = 0; i < out.plan.decisions.size(); ++i)
    if (!std::ranges::binary_search(tried.revoked, i)) kept.push_back(std::move(out.plan.decisions[i]));
  out.plan.decisions = std::move(kept);
}

}  // namespace ym::engine
