// The best lawful way to make room for a job in a flavor, with proof that it can run then.
//
// With few candidates it looks at all sets (all_sets.h): the plan is then the cheapest by the order of prices
// (candidates.h), and if it finds no plan, none exists. With many, it takes the cheapest plan of several greedy orders
// (greedy.h). Jobs of the target (target.h) are candidates only if the others would not be enough even without the
// protection of minimum run times. Admissions of this cycle are revoked before running jobs are stopped, and cost
// nothing.
//
// Elastic jobs become smaller before any job is stopped that would have to wait: a plan in which all running preempted
// jobs continue (smaller.h) comes before all others.
#pragma once

#include <optional>
#include <vector>

#include "engine/preemption/candidates.h"
#include "engine/preemption/smaller.h"

namespace ym::engine {

struct RoomPlan {
  std::vector<Running*> preempted_jobs;  // by id
  Choice choice;                         // where the job runs when they are gone
  std::vector<GoingOn> going_on;         // the preempted jobs that continue
  Preemption::Cause cause = Preemption::Cause::priority;
};

struct RoomSearch {
  std::optional<RoomPlan> plan;          // nothing: stopping others does not help
  Instant next_unspared;                 // when a job may be stopped that is protected so far
  Kinds contested;                       // before any job left
  bool some_were_stopped_since = false;  // a job that arrives later may find more
};

// For the job of this rank. Changes the cycle's trial and restores it.
RoomSearch search_room(Cycle& cycle, Rank rank, const Flavors& flavors, const PreemptibleJobs& preemptible);

}  // namespace ym::engine
