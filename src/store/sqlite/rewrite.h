// Replaces what is stored already.
#pragma once

#include "store/sqlite/database.h"
#include "store/store.h"

namespace ym::sqlite {

// Writes a rewriting into an open transaction.
Result<void> write_rewrite(Database& database, const Rewrite& rewrite);

// Makes the file anew from what is in it, and empties the log. Precondition: no transaction is open, and there is no
// other connection. Errors: `unavailable`: the disk is full, or another connection reads.
Result<void> compact(Database& database);

}  // namespace ym::sqlite
