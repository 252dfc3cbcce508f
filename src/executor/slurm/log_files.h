// The logs of tasks, where the nodes and this machine share a folder.
#pragma once

#include <string>

#include "executor/executor.h"

namespace ym::slurm {

// `ended`: nothing more is written. Thread-safe. Errors: `not_found`, with what may be wrong; `io`.
Result<LogChunk> read_log_file(const std::string& log_dir, const LogQuery& query, bool ended);

}  // namespace ym::slurm
