// A good plan where many come into question, in a bounded number of steps.
//
// Candidates depart in an order, each if it may when its turn comes, until the job has its quota and
// a place. Then, from the most precious on, each gets its place back without which the job can run
// still (Kueue's fill-back): nobody in a plan can be spared. The cheapest of the plans that come of
// several orders is taken:
//
//   by nodes   first those who stand on the nodes that are the cheapest to clear and from which they
//              may be taken; then all others, for quota. For each cluster;
//   by price   as single victims are preferred;
//   by turns   so many of the preferred, but those first who have least: so more of them may leave.
//
// With victims of other queues the job must stay within nominal quota, for which some of its own queue
// may have to leave; queues are not thought of against which even that would not do. Each order is
// also tried with victims of the own queue alone, for then the job may borrow; and with those alone who
// run, for what this cycle has admitted departs first and takes from what its queue has borrowed.
//
// Steps: a place is looked for each time the number of those who have departed has doubled, by
// bisection after that, and a few times for each victim of the plan.
#pragma once

#include <optional>

#include "engine/preemption/room.h"

namespace ym::engine {

std::optional<Found> best_of_greedy_orders(Room& room, const Candidates& candidates);

}  // namespace ym::engine
