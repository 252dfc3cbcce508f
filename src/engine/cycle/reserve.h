// Who holds a reservation, and who must mind it.
#pragma once

#include "engine/cycle/cycle.h"

namespace ym::engine {

// For how long the job would have what it is given now, or so much later.
Walltime walltime_of(const Cycle& cycle, Rank rank, Duration later = {});

// The same of one that runs in the queue, if it is stopped, which takes so long, and begins again elsewhere; that it
// yields to anybody then is not counted on.
Walltime walltime_again(const Cycle& cycle, const JobRow& job, QueueIndex queue, Duration stop);

// Which advance reservations let the job in.
Pass pass_of(const Cycle& cycle, Rank rank);

// Of the queue: whom its jobs may stop in it.
PreemptRule rule_of(const Inputs& in, QueueIndex queue);

// The job has quota but found no machines: it is promised the earliest ones of its flavors, if its queue
// has not as many reservations as it may, and if it is known that there will be some; if it would else keep all that it
// could use (age.h), only if that does not more than double its wait.
void reserve(Cycle& cycle, Rank rank);
// Whether that might be done for jobs of the shape that are still to have their turns. Precondition: none has a budget.
bool may_reserve(Cycle& cycle, ShapeIndex shape);

// The reservations as the plan shows them.
void publish_reservations(const Inputs& in, const Tried& tried, Output& out);

}  // namespace ym::engine
