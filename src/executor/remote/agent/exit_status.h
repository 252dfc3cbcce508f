#pragma once

#include "model/job.h"

namespace ym::remote {

// The exit status that a cluster gets: user code's exit code, 128 plus the signal's number, 124 at the time limit, 143
// if user code exited with 0 because of a stop, and kNotRunExit if it never ran.
int exit_status(const TaskExit& exit);

}  // namespace ym::remote
