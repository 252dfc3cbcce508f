// Reads the log of a task, while it grows and after its end.
#pragma once

#include <filesystem>

#include "executor/executor.h"

namespace ym::local {

// Thread-safe. Errors: as Executor::read_log.
Result<LogChunk> read_task_log(const std::filesystem::path& state_dir, const LogQuery& query);

}  // namespace ym::local
