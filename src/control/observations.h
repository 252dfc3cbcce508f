// How what an executor reports becomes events.
#pragma once

#include "control/staging.h"

namespace ym {

// Stages what follows from the observation. One that does not fit what is known (a
// token of another epoch, a task that ended long ago) changes nothing: executors may
// repeat themselves and may be late.
void stage_observation(Staging& staging, const Observation& observation);

// Everything an executor needs to start this attempt. Precondition: it is in the tables.
LaunchEffect launch_effect(const Tables& tables, const Attempt& attempt);

}  // namespace ym
