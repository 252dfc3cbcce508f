// The state machine of jobs and attempts: which transitions exist.
//
//   QUEUED -> STARTING -> RUNNING -> SUCCEEDED | FAILED | CANCELLED | TIMED_OUT
//   HELD <-> QUEUED. STOPPING during the grace. UNREACHABLE while contact is lost.
//   After an attempt has ended, its job may become QUEUED again.
#pragma once

#include "model/states.h"

namespace ym {

bool may_follow(JobState from, JobState to);
bool may_follow(AttemptState from, AttemptState to);

}  // namespace ym
