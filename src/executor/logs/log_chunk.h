// What a query asks for of a log, whoever keeps the file.
#pragma once

#include "executor/executor.h"

namespace ym {

// `ended`: nothing more is written; to be found out before the call. The file may grow meanwhile. Thread-safe.
// Errors: `io`.
Result<LogChunk> read_log_chunk(int file, const LogQuery& query, bool ended);

}  // namespace ym
