// Checks a write-ahead log before SQLite reads it.
//
// SQLite's recovery stops at the first frame with a wrong checksum and silently drops everything after it. That is
// right for a transaction that was being written at a power loss. It is wrong for one that was acknowledged and damaged
// later. With synchronous=FULL a commit is flushed before the next one begins, so at most one commit can be incomplete.
// So two ends of commits at or after the bad frame mean that at least one acknowledged commit would be lost.
// Format: https://www.sqlite.org/fileformat2.html#the_write_ahead_log
#pragma once

#include <filesystem>

#include "base/result.h"

namespace ym::sqlite {

// A log that is missing or empty is good. Precondition: no process has the database open.
// Errors: `corrupt`; `io`: the log cannot be read.
Result<void> check_wal(const std::filesystem::path& wal);

}  // namespace ym::sqlite
