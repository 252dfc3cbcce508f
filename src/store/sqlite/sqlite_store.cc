#include "store/sqlite/sqlite_store.h"

#include <fmt/format.h>

#include "base/assert.h"
#include "store/sqlite/acknowledged.h"
#include "store/sqlite/clean_stop.h"
#include "store/sqlite/commit_writer.h"
#include "store/sqlite/files.h"
#include "store/sqlite/history_reader.h"
#include "store/sqlite/load_state.h"
#include "store/sqlite/log_vfs.h"
#include "store/sqlite/migrations.h"
#include "store/sqlite/state_dir.h"
#include "store/sqlite/wal_check.h"

namespace ym {
namespace {

using namespace sqlite;
namespace fs = std::filesystem;

class SqliteStore final : public Store {
 public:
  SqliteStore(StateDir dir, std::unique_ptr<LogVfs> vfs, std::unique_ptr<Database> database, Acknowledged acknowledged,
              Meta meta, const SqliteOptions& options)
      : dir_(std::move(dir)),
        vfs_(std::move(vfs)),
        database_(std::move(database)),
        acknowledged_(std::move(acknowledged)),
        meta_(meta),
        options_(options),
        set_back_(dir_.is_taken_over() || (meta.last_seq > 0 && !acknowledged_.last_seq())) {
    sqlite3_wal_hook(database_->handle(), &SqliteStore::on_wal, &wal_pages_);
  }
  ~SqliteStore() override {
    const bool ours = in_place().has_value();
    database_.reset();
    if (ours) leave_clean_stop(dir_.database());
  }

  Result<LoadedState> load() override {
    auto state = load_state(*database_);
    if (state)
      if (auto meta = read_meta(*database_)) meta_ = *meta;
    return state;
  }

  Result<void> commit(const Commit& commit) override {
    const Meta next = meta_.after(commit.events);
    auto done = in_place();
    if (done) done = write(commit, next);
    if (!done) return std::unexpected(refused(std::move(done.error())));
    meta_ = next;
    acknowledged_.note(meta_.last_seq);
    checkpoint_if_due();
    return {};
  }

  Result<std::unique_ptr<StoreReader>> reader() override {
    auto database = Database::open(dir_.database(), Access::read_only, options_.vfs);
    if (!database) return std::unexpected(database.error());
    return std::make_unique<HistoryReader>(std::move(*database));
  }

  Instant last_time() const override { return meta_.last_time; }

  bool is_set_back() const override { return set_back_; }

  std::uint64_t bytes() const override {
    const auto size = [](const fs::path& file) -> std::uint64_t {
      std::error_code failed;
      const auto found = fs::file_size(file, failed);
      return failed ? 0 : found;
    };
    return size(dir_.database()) + size(fs::path(dir_.database()).concat("-wal"));
  }

  Result<void> expire_idempotency(Instant horizon) override {
    // Records stand in the order of their time: the first that is young enough ends the search.
    auto query = database_->query(
        "DELETE FROM idempotency WHERE at < ?1 AND rowid < ifnull((SELECT rowid FROM idempotency WHERE at >= ?1 "
        "ORDER BY rowid LIMIT 1), 9223372036854775807)");
    if (!query) return std::unexpected(query.error());
    query->bind(1, horizon.ms);
    if (auto done = query->run(); !done) return std::unexpected(refused(std::move(done.error())));
    return {};
  }

 private:
  static int on_wal(void* pages, sqlite3*, const char*, int count) {
    *static_cast<int*>(pages) = count;
    return SQLITE_OK;
  }

  Result<void> write(const Commit& commit, const Meta& next) {
    auto transaction = Transaction::begin(*database_, Transaction::Kind::write);
    if (!transaction) return std::unexpected(transaction.error());
    // First, so that a server that has been replaced writes nothing at all.
    if (auto done = replace_meta(*database_, meta_, next); !done) return done;
    if (auto done = write_commit(*database_, commit); !done) return done;
    return transaction->commit();
  }

  // A file that was deleted or replaced under us would take every further commit with it.
  Result<void> in_place() {
    int moved = 0;
    sqlite3_file_control(database_->handle(), "main", SQLITE_FCNTL_HAS_MOVED, &moved);
    if (moved == 0) return dir_.still_ours();
    return fail(ErrorCode::unavailable, fmt::format("{} was deleted or replaced while the server runs on it: nothing "
                                                    "more is accepted. Put it back, or stop the server",
                                                    dir_.database().string()));
  }

  // Whatever the disk objects to, nothing of the transaction is stored, and the next
  // try may work; damage and another server alone stay what they are.
  static Error refused(Error error) {
    if (error.code == ErrorCode::corrupt || error.code == ErrorCode::conflict) return error;
    error.code = ErrorCode::unavailable;
    error.retryable = true;
    return error;
  }

  // Here and not by SQLite's own trigger, which would swallow a failed fsync of the
  // database. Any other failure waits: the log just grows until the next try.
  void checkpoint_if_due() {
    if (wal_pages_ < options_.checkpoint_pages) return;
    const int code =
        sqlite3_wal_checkpoint_v2(database_->handle(), "main", SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
    if (code != SQLITE_OK) (void)database_->error(code);
  }

  StateDir dir_;  // first: the lock is given back last
  std::unique_ptr<LogVfs> vfs_;
  std::unique_ptr<Database> database_;
  Acknowledged acknowledged_;
  Meta meta_;
  SqliteOptions options_;
  bool set_back_;
  int wal_pages_ = 0;
};

// Made under another name and renamed when it is whole, so that a file of the right
// name never is half a database, whenever the process is killed.
Result<void> create(const fs::path& file, const SqliteOptions& options) {
  const auto unfinished = fs::path(file).concat(".new");
  std::error_code ignored;
  for (const auto suffix : {"", "-wal", "-shm", "-journal"}) fs::remove(fs::path(unfinished).concat(suffix), ignored);
  {
    // SQLite would give it the mode of the umask; its log inherits the mode from here.
    if (auto made = create_private(unfinished); !made) return made;
    auto database = Database::open(unfinished, Access::write, options.vfs);
    if (!database) return std::unexpected(database.error());
    Result<void> done = (*database)->execute("PRAGMA journal_mode=WAL");
    if (done) done = migrate(**database);
    if (done) done = write_meta(**database, {});
    if (done) done = (*database)->execute("PRAGMA wal_checkpoint(TRUNCATE)");
    if (!done) return done;
    (*database)->checkpoint_on_close();
  }
  return rename_durably(unfinished, file);
}

Result<std::unique_ptr<Database>> open_file(const StateDir& dir, const LogVfs& vfs, const SqliteOptions& options) {
  const auto file = dir.database();
  if (dir.fresh())
    if (auto created = create(file, options); !created) return std::unexpected(created.error());
  if (auto checked = check_wal(fs::path(file).concat("-wal")); !checked) return std::unexpected(checked.error());
  return Database::open(file, Access::write, vfs.name());
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

// Up to the migration nothing is changed.
Result<void> prepare(StateDir& dir, Database& database, const Acknowledged& acknowledged,
                     const SqliteOptions& options) {
  const auto version = known_version(database);
  if (!version) return std::unexpected(version.error());
  if (auto checked = check_whole(database, options); !checked) return checked;
  if (*version == 0) return std::unexpected(damaged(database.file(), "it has no schema"));
  // Every schema has this column of this table.
  const auto last = database.integer("SELECT coalesce(max(seq), 0) FROM events");
  if (!last) return std::unexpected(last.error());
  if (auto checked = check_acknowledged(database, *last, acknowledged); !checked) return checked;
  if (*last > 0)
    if (auto marked = dir.check_marked(); !marked) return marked;
  if (auto migrated = migrate(database); !migrated) return migrated;
  // Empties the log while nobody reads: no frame of an earlier run stays behind the new
  // ones, which check_wal relies on.
  return database.execute("PRAGMA journal_mode=WAL; PRAGMA wal_checkpoint(TRUNCATE)");
}

// Nothing that opening asks for is wrong in itself, so where SQLite objects the file must
// be ("unsupported file format", a table that cannot be parsed).
Error as_damage(const StateDir& dir, const Error& error) {
  return error.code == ErrorCode::internal ? damaged(dir.database(), error.message) : error;
}

}  // namespace

Result<std::unique_ptr<Store>> open_sqlite_store(const fs::path& path, const SqliteOptions& options) {
  auto dir = StateDir::enter(path, {.initialise = options.initialise,
                                    .even_if_moved = options.even_if_moved,
                                    .take_over = options.take_over,
                                    .receipts = options.receipts});
  if (!dir) return std::unexpected(dir.error());
  auto vfs = std::make_unique<LogVfs>(options.vfs);
  auto database = open_file(*dir, *vfs, options);
  if (!database) return std::unexpected(as_damage(*dir, database.error()));
  auto acknowledged = Acknowledged::open(dir->path());
  if (!acknowledged) return std::unexpected(acknowledged.error());
  if (auto prepared = prepare(*dir, **database, *acknowledged, options); !prepared)
    return std::unexpected(as_damage(*dir, prepared.error()));
  const auto meta = read_meta(**database);
  if (!meta) return std::unexpected(meta.error());
  // Before it is an original: whoever starts next, after a crash, still sees that it was set back.
  if (dir->is_taken_over())
    if (auto forgotten = acknowledged->forget(); !forgotten) return std::unexpected(forgotten.error());
  if (auto marked = dir->mark_initialised(); !marked) return std::unexpected(marked.error());
  (*database)->checkpoint_on_close();
  return std::make_unique<SqliteStore>(std::move(*dir), std::move(vfs), std::move(*database), std::move(*acknowledged),
                                       *meta, options);
}

}  // namespace ym
