#pragma once

#include "model/job.h"

namespace ym::remote {

// What a cluster is told of an end: user code's exit code, 128 and the signal's number, 124 at the time limit and 143
// where user code left with 0 because it was stopped, and kNotRunExit if it never ran.
int exit_status(const TaskExit& exit);

}  // namespace ym::remote
