// Whom a job may stop of its own queue when its time has come, and by when they are gone then.
#pragma once

#include "engine/cycle/cycle.h"
#include "engine/preemption/lawful.h"

namespace ym::engine {

// By when the job could be gone, if it begins then and is stopped as soon as that may be; kNever: nobody may stop it.
Instant yields_by(const Inputs& in, const JobRow& job, QueueIndex queue, Instant begun);
// The same of one that has a place, for a holder of its queue; kNever: it may not stop it.
Instant yields_to(const Cycle& cycle, Slot slot, const Claims& holder);

// All that yield to the job. Nothing but its priority and its arrival counts, unless newer ones of the same may be
// stopped too.
const Yielding& yielding_to(Cycle& cycle, Rank rank);

}  // namespace ym::engine
