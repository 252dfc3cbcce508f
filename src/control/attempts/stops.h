// How an attempt is asked to stop: one way, whatever the cause.
#pragma once

#include <string>

#include "control/state/staging.h"

namespace ym {

// What the executor is told: the job's signal, and what is left of its grace.
StopRequest stop_request(const Job& job, const Attempt& attempt, StopCause cause, Instant now);

// Stages the stop of an attempt that has not ended, and sends it; `stop_by` is filled in. One
// that is stopping already, or that nobody sees, is only told (again). Without a reason the
// event gets a plain one.
void stage_stop(Staging& staging, const std::string& actor, AttemptStopping stopping, std::string reason = {});

}  // namespace ym
