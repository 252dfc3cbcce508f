// A good plan where there are many candidates, in a bounded number of steps.
//
// Candidates depart in an order, each if it may be stopped at that point, until the job has its quota and a place.
// Then, from the most valuable on, each preempted job comes back if the job can still run without its stop (Kueue's
// fill-back). So a plan contains no needless preempted job. The search takes the cheapest plan of several orders:
// - by nodes: first the jobs on the nodes that are the cheapest to clear, if they may be stopped there; then all
//   others, for quota. For each cluster;
// - by price: as single preempted jobs are preferred;
// - by turns: a number of the preferred ones, the smallest first, so that more of them may leave.
//
// With preempted jobs of other queues the job must stay within nominal quota. For that, jobs of its own queue may have
// to leave. The search leaves out queues against which even that is not enough. It also tries each order with preempted
// jobs of the own queue alone, for then the job may borrow; and with running jobs alone, as admissions of this cycle
// depart first and reduce what their queue has borrowed.
//
// Steps: the search looks for a place each time the number of departed jobs has doubled, then by bisection, and a few
// times for each preempted job of the plan.
#pragma once

#include <optional>

#include "engine/preemption/room.h"

namespace ym::engine {

std::optional<Found> best_of_greedy_orders(Room& room, const Candidates& candidates);

}  // namespace ym::engine
