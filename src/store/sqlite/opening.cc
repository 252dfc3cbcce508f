#include "store/sqlite/opening.h"

#include <fmt/format.h>

#include "store/sqlite/files/clean_stop.h"
#include "store/sqlite/files/files.h"
#include "store/sqlite/meta.h"
#include "store/sqlite/migrations.h"
#include "store/sqlite/wal_check.h"

namespace ym::sqlite {
namespace {

namespace fs = std::filesystem;

// The database is made under another name and renamed when it is complete. So a file with the right name is never half
// a database, whenever the process is killed.
Result<void> create(const fs::path& file, const SqliteOptions& options) {
  const auto unfinished = fs::path(file).concat(".new");
  std::error_code ignored;
  for (const auto suffix : {"", "-wal", "-shm", "-journal"}) fs::remove(fs::path(unfinished).concat(suffix), ignored);
  {
    // SQLite would use the umask. The log inherits the mode of this file.
    if (auto made = create_private(unfinished); !made) return made;
    auto database = Database::open(unfinished, Access::write, options.vfs);
    if (!database) return std::unexpected(database.error());
    // Pages that become free can be given back (prune.h). It counts only before the first table is made.
    Result<void> done = (*database)->execute("PRAGMA auto_vacuum=INCREMENTAL; PRAGMA journal_mode=WAL");
    if (done) done = migrate(**database);
    if (done) done = make_missing_tables(**database);
    if (done) done = write_meta(**database, {});
    if (done) done = (*database)->execute("PRAGMA wal_checkpoint(TRUNCATE)");
    if (!done) return done;
    (*database)->checkpoint_on_close();
  }
  return rename_durably(unfinished, file);
}

Result<void> check_whole(Database& database, const SqliteOptions& options) {
  std::error_code ignored;
  const auto size = fs::file_size(database.file(), ignored);
  const bool clean = take_clean_stop(database.file());
  if (clean && std::cmp_greater(size, options.skip_check_bytes)) return {};
  const bool full = std::cmp_less_equal(size, options.full_check_bytes);
  auto query = database.query(full ? "PRAGMA integrity_check(1)" : "PRAGMA quick_check(1)");
  if (!query) return std::unexpected(query.error());
  const auto row = query->step();
  if (!row) return std::unexpected(row.error());
  if (query->text(0) == "ok") return {};
  return std::unexpected(damaged(database.file(), query->text(0)));
}

Result<void> check_acknowledged(Database& database, std::int64_t last, const Acknowledged& acknowledged) {
  const auto noted = acknowledged.last_seq().value_or(0);
  if (std::cmp_greater_equal(last, noted)) return {};
  return std::unexpected(
      damaged(database.file(), fmt::format("it ends at event {}, but event {} was acknowledged", last, noted)));
}

}  // namespace

Result<std::unique_ptr<Database>> open_database(const StateDir& dir, const LogVfs& vfs, const SqliteOptions& options) {
  const auto file = dir.database();
  if (dir.fresh())
    if (auto created = create(file, options); !created) return std::unexpected(created.error());
  if (auto checked = check_wal(fs::path(file).concat("-wal")); !checked) return std::unexpected(checked.error());
  return Database::open(file, Access::write, vfs.name());
}

Result<void> check_and_migrate(StateDir& dir, Database& database, const Acknowledged& acknowledged,
                               const SqliteOptions& options) {
  const auto version = known_version(database);
  if (!version) return std::unexpected(version.error());
  if (auto checked = check_whole(database, options); !checked) return checked;
  if (*version == 0) return std::unexpected(damaged(database.file(), "it has no schema"));
  // Every schema has this column.
  const auto last = database.integer("SELECT coalesce(max(seq), 0) FROM events");
  if (!last) return std::unexpected(last.error());
  if (auto checked = check_acknowledged(database, *last, acknowledged); !checked) return checked;
  if (*last > 0)
    if (auto marked = dir.check_marked(); !marked) return marked;
  if (auto migrated = migrate(database); !migrated) return migrated;
  if (auto made = make_missing_tables(database); !made) return made;
  // Empties the log while there is no reader. No frame of an earlier run stays behind the new ones; check_wal relies on
  // that.
  return database.execute("PRAGMA journal_mode=WAL; PRAGMA wal_checkpoint(TRUNCATE)");
}

Error as_damage(const StateDir& dir, const Error& error) {
  return error.code == ErrorCode::internal ? damaged(dir.database(), error.message) : error;
}

}  // namespace ym::sqlite
