// Reads states beside the server that serves them.
#include <fmt/format.h>
#include <unistd.h>

#include "store/sqlite/files/copies.h"
#include "store/sqlite/files/files.h"
#include "store/sqlite/files/state_dir.h"
#include "store/sqlite/history_reader.h"
#include "store/sqlite/load_state.h"
#include "store/sqlite/migrations.h"
#include "store/sqlite/sqlite_store.h"

namespace ym {
namespace {

using namespace sqlite;
namespace fs = std::filesystem;

// On a read-only file system SQLite cannot make an index of a log. Without a log it needs none. With a log, it can read
// only if the index was copied along, as in a snapshot.
Access access_to(const fs::path& file) {
  std::error_code failed;
  const auto logged = fs::file_size(fs::path(file).concat("-wal"), failed);
  const bool has_log = !failed && logged > 0;
  const bool writable = ::access(whole_path(file).parent_path().c_str(), W_OK) == 0;
  return has_log || writable ? Access::read_only : Access::frozen;
}

// Opens a database that has this version's schema, to read it.
Result<std::unique_ptr<Database>> open_to_read(const fs::path& dir) {
  const fs::path file = dir / "yardmaster.db";
  if (!fs::exists(file)) return fail(ErrorCode::io, fmt::format("there is no {}", file.string()));
  auto database = Database::open(file, access_to(file));
  if (!database) return database;
  const auto version = known_version(**database);
  if (!version) return std::unexpected(version.error());
  if (*version == migrations().size()) return database;
  return fail(ErrorCode::conflict,
              fmt::format("{}: an older version wrote it; a server of this version must open it first", file.string()));
}

// If the file cannot be read, the opening reports it.
bool has_events(const fs::path& file) {
  const auto database = Database::open(file, access_to(file));
  if (!database) return false;
  return (*database)->integer("SELECT coalesce(max(seq), 0) FROM events").value_or(0) > 0;
}

}  // namespace

Result<std::unique_ptr<StoreReader>> open_sqlite_history(const fs::path& dir) {
  auto database = open_to_read(dir);
  if (!database) return std::unexpected(database.error());
  return std::make_unique<HistoryReader>(std::move(*database));
}

Result<LoadedState> read_sqlite_state(const fs::path& dir) {
  const auto database = open_to_read(dir);
  if (!database) return std::unexpected(database.error());
  return load_state(**database);
}

std::optional<std::string> copy_of(const fs::path& path) {
  const auto dir = whole_path(path);
  const auto file = dir / "yardmaster.db";
  std::error_code ignored;
  if (!has_database(file) || fs::exists(dir / "moved", ignored)) return std::nullopt;
  const auto machine = machine_id();
  const auto marking = read_marking(dir, machine);
  const bool is_copy = marking.kind == Marking::Kind::copy || (marking.kind == Marking::Kind::none && has_events(file));
  if (!is_copy) return std::nullopt;
  return describe(dir, marking.origin, machine);
}

}  // namespace ym
