// The state machine of jobs and attempts: which transitions exist.
//
//   QUEUED -> STARTING -> RUNNING -> SUCCEEDED | FAILED | CANCELLED | TIMED_OUT
//   HELD <-> QUEUED; STOPPING while grace runs; UNREACHABLE while contact is lost;
//   an ended attempt may bring its job back to QUEUED.
#pragma once

#include "model/states.h"

namespace ym {

bool may_follow(JobState from, JobState to);
bool may_follow(AttemptState from, AttemptState to);

}  // namespace ym
