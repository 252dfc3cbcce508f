// Reading a task's log while it grows, and long after.
#pragma once

#include <filesystem>

#include "executor/executor.h"

namespace ym::local {

// Thread-safe. Errors: as Executor::read_log.
Result<LogChunk> read_task_log(const std::filesystem::path& state_dir, const LogQuery& query);

}  // namespace ym::local
