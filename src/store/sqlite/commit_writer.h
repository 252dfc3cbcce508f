// Writes one Commit into an open transaction.
#pragma once

#include "store/sqlite/database.h"
#include "store/store.h"

namespace ym::sqlite {

// Writes everything except table meta.
Result<void> write_commit(Database& database, const Commit& commit);

}  // namespace ym::sqlite
