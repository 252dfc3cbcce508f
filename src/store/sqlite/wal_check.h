// Looks into a write-ahead log before SQLite does.
//
// SQLite's recovery stops at the first frame whose checksum does not hold and drops
// everything behind it, silently: right for a transaction that was being written when
// the power went, wrong for one that was acknowledged and damaged later. With
// synchronous=FULL a commit is flushed before the next one begins, so at most one
// commit can be torn: two ends of a commit at or behind the bad frame mean that at
// least one acknowledged commit would be lost.
// Format: https://www.sqlite.org/fileformat2.html#the_write_ahead_log
#pragma once

#include <filesystem>

#include "base/result.h"

namespace ym::sqlite {

// A log that is missing or empty is good. Precondition: nobody has the database open.
// Errors: `corrupt`; `io` if it cannot be read.
Result<void> check_wal(const std::filesystem::path& wal);

}  // namespace ym::sqlite
