// Starts supervisors.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>

#include "base/fd.h"
#include "base/result.h"
#include "executor/local/machine/event_loop.h"

namespace ym::local {

// Starts a supervisor for the folder of a task. It gets an empty environment, all signals blocked, and no open
// descriptor except the connection to it, which is returned (non-blocking). The loop reaps it. It begins a session of
// its own, and outlives this process. Loop's thread only.
Result<Fd> spawn_supervisor(EventLoop& loop, const std::filesystem::path& program, const std::string& task_folder);

// The loop reaps this child after its end; no call waits for it. Loop's thread only.
void reap_later(EventLoop& loop, pid_t pid);

}  // namespace ym::local
