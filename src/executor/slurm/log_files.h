// The logs of tasks in a folder that the nodes and this machine share.
#pragma once

#include <string>

#include "executor/executor.h"

namespace ym::slurm {

// `ended`: nothing more is written. Thread-safe. Errors: as Executor::read_log; `not_found` explains the possible
// cause.
Result<LogChunk> read_log_file(const std::string& log_dir, const LogQuery& query, bool ended);

}  // namespace ym::slurm
