// The best lawful way to make room for a job in a flavor, with proof that it can run then.
//
// Where few come into question all sets of them are looked at (all_sets.h): the plan is the cheapest
// there is, by the order of prices (candidates.h), and if there is none, none is found. Where many do,
// it is the cheapest that several greedy orders find (greedy.h). Jobs of the target (target.h) come into question only
// where the others would not do, even if no minimum run time spared any. What this cycle has admitted is taken
// back before anybody who runs is stopped, and costs nothing.
//
// Elastic jobs become smaller before anyone is stopped who would have to wait: a plan of which all victims that run go
// on (smaller.h) comes before all others.
#pragma once

#include <optional>
#include <vector>

#include "engine/preemption/candidates.h"
#include "engine/preemption/smaller.h"

namespace ym::engine {

struct RoomPlan {
  std::vector<Running*> victims;  // by id
  Choice choice;                  // where the job runs when they are gone
  std::vector<GoingOn> going_on;  // of them
  Preemption::Cause cause = Preemption::Cause::priority;
};

struct RoomSearch {
  std::optional<RoomPlan> plan;  // nothing: stopping others does not help
  Instant next_unspared;         // when somebody may be stopped who is spared so far
  Kinds contested;               // before anybody left
  bool some_are_spent = false;   // one that arrives later may find more
};

// For the job of this rank. The cycle's trial is varied and put back.
RoomSearch search_room(Cycle& cycle, Rank rank, const Flavors& flavors, const Roster& roster);

}  // namespace ym::engine
