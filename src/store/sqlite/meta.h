// The row of table meta (store/rows/meta.h).
#pragma once

#include "store/rows/meta.h"
#include "store/sqlite/database.h"

namespace ym::sqlite {

using rows::Meta;

// Errors: `corrupt`, also if there is no row; `conflict`: a newer version wrote documents.
Result<Meta> read_meta(Database& database);
// Writes the row of a new database.
Result<void> write_meta(Database& database, const Meta& meta);
// Errors: `conflict`: the stored row is not `before`, because another server has written.
Result<void> replace_meta(Database& database, const Meta& before, const Meta& after);

}  // namespace ym::sqlite
