// The logs of tasks, where the nodes and this machine share a folder.
#pragma once

#include <string>

#include "executor/executor.h"

namespace ym::slurm {

// `ended`: nothing more is written. Thread-safe. Errors: as Executor::read_log; `not_found`
// says what may be wrong.
Result<LogChunk> read_log_file(const std::string& log_dir, const LogQuery& query, bool ended);

}  // namespace ym::slurm
