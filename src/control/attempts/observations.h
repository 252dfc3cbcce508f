// Turns reports of executors into events.
#pragma once

#include "control/state/job_contacts.h"
#include "control/state/progress_intake.h"
#include "control/state/staging.h"

namespace ym {

// What observations need besides the staged state.
struct ObservationContext {
  ProgressIntake& progress;
  const JobContacts& contacts;
  Duration restart_cost;  // the cost of a start, for each GPU (engine::Policy)
};

// Stages the events of an observation. An observation that does not fit the state (a token of another epoch, a task
// that ended long ago) changes nothing: executors may repeat themselves and may be late.
void stage_observation(Staging& staging, const ObservationContext& context, const Observation& observation);

}  // namespace ym
