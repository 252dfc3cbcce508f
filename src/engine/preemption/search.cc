#include "engine/preemption/search.h"

#include <algorithm>
#include <utility>

#include "engine/preemption/all_sets.h"
#include "engine/preemption/greedy.h"

namespace ym::engine {
namespace {

RoomPlan plan_of(Found found) {
  RoomPlan plan{.victims = {}, .choice = std::move(found.choice)};
  for (const Candidate& victim : found.victims) plan.victims.push_back(victim.running);
  std::ranges::sort(plan.victims, {}, [](const Running* victim) { return victim->job; });
  return plan;
}

}  // namespace

RoomSearch search_room(Cycle& cycle, Rank rank, Index flavor, const Roster& roster) {
  const Claimant claimant = Claimant::of(cycle.state, cycle.job(rank), flavor);
  const InQuestion found = in_question(cycle, claimant, roster);
  RoomSearch search{.plan = {}, .next_unspared = found.next_unspared, .contested = contested_kinds(claimant)};
  if (found.candidates.empty()) return search;
  Room room(cycle, rank, claimant);
  auto best = found.candidates.size() <= kFewCandidates ? best_of_all_sets(room, found.candidates)
                                                        : best_of_greedy_orders(room, found.candidates);
  if (best) search.plan = plan_of(std::move(*best));
  return search;
}

}  // namespace ym::engine
