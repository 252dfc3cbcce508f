// How the database of a state is opened: made where the state is new, checked whole, migrated.
#pragma once

#include <memory>

#include "store/sqlite/acknowledged.h"
#include "store/sqlite/database.h"
#include "store/sqlite/log_vfs.h"
#include "store/sqlite/sqlite_store.h"
#include "store/sqlite/state_dir.h"

namespace ym::sqlite {

// Errors: those of open_sqlite_store.
Result<std::unique_ptr<Database>> open_database(const StateDir& dir, const LogVfs& vfs, const SqliteOptions& options);

// Nothing is changed before all is checked: that it is whole, that it does not end before what the note in DIR says was
// acknowledged, that it is no copy. Errors: those of open_sqlite_store.
Result<void> check_and_migrate(StateDir& dir, Database& database, const Acknowledged& acknowledged,
                               const SqliteOptions& options);

// Nothing that opening asks for is wrong in itself, so where SQLite objects the file must be ("unsupported file
// format", a table that cannot be parsed).
Error as_damage(const StateDir& dir, const Error& error);

}  // namespace ym::sqlite
