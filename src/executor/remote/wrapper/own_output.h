// Where the wrapper's own output goes.
#pragma once

#include <string>

#include "executor/remote/wrapper/task_config.h"

namespace ym::remote {

// Standard output and error to the end of the file YM_TASK_OUTPUT, if there is that: it and up to two folders above it
// are made where they are missing, for their owner alone. Then standard error to YM_TASK_MESSAGES, where standard error
// is part of what user code is shown as its log; it stays where that file cannot be had. Errors: `io`, for
// YM_TASK_OUTPUT.
Result<void> redirect_output(const Environment& env);

// YM_TASK_OUTPUT, if it is a file that is there (no link to one), on a disk or in memory of this machine: who writes to
// it waits for no network. Else empty.
std::string output_on_this_machine(const Environment& env);

}  // namespace ym::remote
