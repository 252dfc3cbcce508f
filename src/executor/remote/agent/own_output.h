// Redirects the agent's own output.
#pragma once

#include <string>

#include "executor/remote/agent/task_config.h"

namespace ym::remote {

// Standard output and error go to the end of the file YM_TASK_OUTPUT, if that is set. Creates it and up to two folders
// above it, for their owner alone. Then standard error goes to YM_TASK_MESSAGES, because standard error would otherwise
// be part of user code's log; if that file cannot be opened, it stays. Errors: `io`, for YM_TASK_OUTPUT.
Result<void> redirect_output(const Environment& env);

// YM_TASK_OUTPUT, if it is an existing file (not a link) on a disk or in memory of this machine, so that a write waits
// for no network. Otherwise empty.
std::string output_on_this_machine(const Environment& env);

}  // namespace ym::remote
