// How what an executor reports becomes events.
#pragma once

#include "control/state/job_contacts.h"
#include "control/state/progress_desk.h"
#include "control/state/staging.h"

namespace ym {

// What observations need besides the staged world.
struct ObservationContext {
  ProgressDesk& progress;
  const JobContacts& contacts;
  Duration restart_cost;  // what a start is reckoned with, for each GPU (engine::Policy)
};

// Stages what follows from the observation. One that does not fit what is known (a
// token of another epoch, a task that ended long ago) changes nothing: executors may
// repeat themselves and may be late.
void stage_observation(Staging& staging, const ObservationContext& context, const Observation& observation);

}  // namespace ym
