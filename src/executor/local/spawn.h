// Starting supervisors.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "executor/local/attempt/fd.h"
#include "executor/local/event_loop.h"

namespace ym::local {

// Starts a supervisor for a task's folder, with an empty environment, every signal
// blocked and nothing open but the connection to it, which is returned (non-blocking).
// It is not our child: what is started leaves at once, and its child is the supervisor.
// The loop reaps it. Loop's thread only.
Result<Fd> spawn_supervisor(EventLoop& loop, const std::filesystem::path& program, const std::string& task_folder);

}  // namespace ym::local
