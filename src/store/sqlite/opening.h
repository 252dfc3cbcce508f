// Opens the database of a state: makes it for a new state, checks it, migrates it.
#pragma once

#include <memory>

#include "store/sqlite/database.h"
#include "store/sqlite/files/acknowledged.h"
#include "store/sqlite/files/log_vfs.h"
#include "store/sqlite/files/state_dir.h"
#include "store/sqlite/sqlite_store.h"

namespace ym::sqlite {

// Errors: those of open_sqlite_store.
Result<std::unique_ptr<Database>> open_database(const StateDir& dir, const LogVfs& vfs, const SqliteOptions& options);

// Checks everything before it changes anything: the database is not damaged, it does not end before the last event in
// the note in DIR, and it is no copy. Errors: those of open_sqlite_store.
Result<void> check_and_migrate(StateDir& dir, Database& database, const Acknowledged& acknowledged,
                               const SqliteOptions& options);

// All statements of an opening are correct. If SQLite rejects one ("unsupported file format", a table that cannot be
// parsed), the file is damaged.
Error as_damage(const StateDir& dir, const Error& error);

}  // namespace ym::sqlite
