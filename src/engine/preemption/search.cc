#include "engine/preemption/search.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/preemption/all_sets.h"
#include "engine/preemption/greedy.h"

namespace ym::engine {
namespace {

RoomPlan plan_of(Room& room, Found found) {
  RoomPlan plan{.preempted_jobs = {},
                .choice = {},
                .going_on = room.going_on(found),
                .cause = room.cause_of(found.preempted_jobs)};
  plan.choice = std::move(found.choice);
  for (const Candidate& preempted : found.preempted_jobs) plan.preempted_jobs.push_back(preempted.running);
  std::ranges::sort(plan.preempted_jobs, {}, [](const Running* preempted) { return preempted->job; });
  return plan;
}

std::optional<Found> best_of(Room& room, const Candidates& candidates) {
  return candidates.size() <= kFewCandidates ? best_of_all_sets(room, candidates)
                                             : best_of_greedy_orders(room, candidates);
}

// Nothing: a preempted job would have to wait, or no job has to leave.
std::optional<RoomPlan> shrink_others(Cycle& cycle, Rank rank, const Claimant& claimant, const Candidates& candidates) {
  if (std::ranges::none_of(candidates, [](const Candidate& one) { return one.running->shrinks; })) return std::nullopt;
  Candidates some;
  std::ranges::copy_if(candidates, std::back_inserter(some),
                       [](const Candidate& one) { return one.running->shrinks || one.running->tentative; });
  Room room(cycle, rank, claimant, Stops::only_shrink);
  auto found = best_of(room, some);
  return found ? std::optional(plan_of(room, std::move(*found))) : std::nullopt;
}

// Whether there would be room if all jobs outside the target left, the protected ones too: then the job waits for
// these. Admissions of this cycle count as they will when they run.
bool would_do(Cycle& cycle, Room& room, const Candidates& outside, const Candidates& spared) {
  if (spared.empty()) return false;
  const auto mark = room.trial().mark();
  for (const Candidates* some : {&outside, &spared})
    for (const Candidate& one : *some)
      if (!target_of(cycle).has(one.running->slot)) room.depart(one);
  const bool enough = room.place().has_value();
  room.trial().roll_back(mark);
  return enough;
}

// Candidates outside the target come first.
std::optional<Found> best_by_target(Cycle& cycle, Room& room, const FoundCandidates& found) {
  const Candidates& all = found.candidates;
  const auto inside = std::ranges::find_if(all, &Candidate::in_target);
  if (inside == all.end()) return best_of(room, all);
  const Candidates outside(all.begin(), inside);
  if (!outside.empty())
    if (auto best = best_of(room, outside)) return best;
  return would_do(cycle, room, outside, found.spared) ? std::nullopt : best_of(room, all);
}

// Whether it revokes an admission that a stop of this cycle may depend on: then that is for the next cycle.
bool undoes_what_stays(const Inputs& in, const Tried& tried, QueueIndex queue, const RoomPlan& plan) {
  return tried.admissions_stay.contains(in.state.quota.root(queue)) &&
         std::ranges::any_of(plan.preempted_jobs, &Running::tentative);
}

std::optional<RoomPlan> find_plan(Cycle& cycle, Rank rank, const Claimant& claimant, const FoundCandidates& found) {
  if (auto plan = shrink_others(cycle, rank, claimant, found.candidates)) return plan;
  Room room(cycle, rank, claimant);
  auto best = best_by_target(cycle, room, found);
  return best ? std::optional(plan_of(room, room.without_those_that_come_back(std::move(*best)))) : std::nullopt;
}

}  // namespace

RoomSearch search_room(Cycle& cycle, Rank rank, const Flavors& flavors, const PreemptibleJobs& preemptible) {
  const Claimant claimant = claimant_of(cycle.in, cycle.pending, rank, flavors);
  const FoundCandidates found = find_candidates(cycle, claimant, preemptible);
  RoomSearch search{.plan = {},
                    .next_unspared = found.next_unspared,
                    .contested = contested_kinds(claimant),
                    .some_were_stopped_since = found.some_were_stopped_since};
  if (found.candidates.empty()) return search;
  search.plan = find_plan(cycle, rank, claimant, found);
  if (search.plan && undoes_what_stays(cycle.in, cycle.tried, claimant.shape.queue, *search.plan)) search.plan.reset();
  return search;
}

}  // namespace ym::engine
