// Starting supervisors.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>

#include "base/fd.h"
#include "base/result.h"
#include "executor/local/event_loop.h"

namespace ym::local {

// Starts a supervisor for a task's folder, with an empty environment, every signal
// blocked and nothing open but the connection to it, which is returned (non-blocking).
// The loop reaps it; it begins a session of its own, and lives on without us. Loop's thread
// only.
Result<Fd> spawn_supervisor(EventLoop& loop, const std::filesystem::path& program, const std::string& task_folder);

// Has the loop reap this child once it has ended; nobody waits for it. Loop's thread only.
void reap_later(EventLoop& loop, pid_t pid);

}  // namespace ym::local
