// Deletes old events, and the jobs that end with them.
#pragma once

#include "store/sqlite/database.h"
#include "store/sqlite/meta.h"
#include "store/store.h"

namespace ym::sqlite {

// One transaction, as Store::prune, and gives free pages back to the file system if the database was made for that.
// Errors: `conflict`: the state is not at `meta` any more.
Result<Pruned> prune(Database& database, const Meta& meta, std::uint64_t to, std::size_t limit);

}  // namespace ym::sqlite
