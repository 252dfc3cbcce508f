// Asks an attempt to stop: one way for all causes.
#pragma once

#include <string>

#include "control/state/staging.h"

namespace ym {

// The request to the executor: the job's signal, and the rest of its grace.
StopRequest stop_request(const Job& job, const Attempt& attempt, StopCause cause, Instant now);

// Stages the stop of an attempt that has not ended, and sends it; fills in `stop_by`. If the attempt is stopping
// already or out of contact, it only sends the request (again). Without a reason the event gets a plain one.
void stage_stop(Staging& staging, const std::string& actor, AttemptStopping stopping, std::string reason = {});

}  // namespace ym
