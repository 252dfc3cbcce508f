// Which jobs of its own queue a job may stop when its reservation begins, and by when they are gone then.
#pragma once

#include "engine/cycle/cycle.h"
#include "engine/preemption/lawful.h"

namespace ym::engine {

// When the job could be gone, if it starts at `begun` and is stopped as soon as allowed; kNever: no job may stop it.
Instant yields_by(const Inputs& in, const JobRow& job, QueueIndex queue, Instant begun);
// The same for a job that has a place, stopped for a holder of its queue; kNever: the holder may not stop it.
Instant yields_to(const Inputs& in, const Tried& tried, Slot slot, const Claims& holder);

// All jobs that the holder may stop. Only its priority and its arrival count, unless its queue lets it stop newer jobs
// of the same priority.
const Yielding& yielding_to(const Inputs& in, const Tried& tried, Findings& known, const Claims& holder);

}  // namespace ym::engine
