// Which jobs get a backfill reservation, and what must not delay it.
#pragma once

#include "engine/cycle/cycle.h"

namespace ym::engine {

// How long the job would hold what it is given now, or `later` from now.
Walltime walltime_of(const Inputs& in, const PendingEntries& pending, const Tried& tried, Rank rank,
                     Duration later = {});

// The same for a running job of the queue, if it is stopped, which takes `stop`, and starts again on other nodes. It is
// not assumed that it would then be preempted.
Walltime walltime_again(const Inputs& in, const Tried& tried, const JobRow& job, QueueIndex queue, Duration stop);

// The advance reservations that the job may use.
Pass pass_of(const Inputs& in, const PendingEntries& pending, const Tried& tried, Rank rank);

// Which jobs of their own queue the jobs of the queue may stop.
PreemptRule rule_of(const Inputs& in, QueueIndex queue);

// The job has quota but found no machines: it gets a reservation for the earliest machines of its flavors. Conditions:
// its queue has fewer reservations than it may have, and a time is known at which there will be machines.
void reserve(Cycle& cycle, Rank rank);
// Whether a job of the shape that has not been tried yet might get a reservation. Precondition: none has a budget.
bool may_reserve(const Inputs& in, const Tried& tried, const Findings& known, ShapeIndex shape);

// Adds the reservations to the plan.
void publish_reservations(const Inputs& in, const Tried& tried, Output& out);

}  // namespace ym::engine
