#include "store/sqlite/sqlite_store.h"

#include <fmt/format.h>

#include "base/assert.h"
#include "store/sqlite/commit_writer.h"
#include "store/sqlite/files/clean_stop.h"
#include "store/sqlite/files/log_vfs.h"
#include "store/sqlite/files/notes.h"
#include "store/sqlite/files/state_dir.h"
#include "store/sqlite/history_reader.h"
#include "store/sqlite/load_state.h"
#include "store/sqlite/meta.h"
#include "store/sqlite/opening.h"
#include "store/sqlite/prune.h"
#include "store/sqlite/rewrite.h"

namespace ym {
namespace {

using namespace sqlite;
namespace fs = std::filesystem;

class SqliteStore final : public Store {
 public:
  SqliteStore(StateDir dir, std::unique_ptr<LogVfs> vfs, std::unique_ptr<Database> database, Notes notes, Meta meta,
              bool set_back, const SqliteOptions& options)
      : dir_(std::move(dir)),
        vfs_(std::move(vfs)),
        database_(std::move(database)),
        notes_(std::move(notes)),
        meta_(meta),
        options_(options),
        set_back_(set_back) {
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

  Result<void> commit(const Commit& commit) override { return write_and_note(commit, nullptr); }

  Result<void> rewrite(const Rewrite& rewrite, const Commit& commit) override {
    return write_and_note(commit, &rewrite);
  }

  Result<void> compact() override {
    auto done = in_place();
    if (done) done = ym::sqlite::compact(*database_);
    if (!done) return std::unexpected(refused(std::move(done.error())));
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
    // Records are in the order of their time. The first one that is young enough ends the search.
    auto query = database_->query(
        "DELETE FROM idempotency WHERE at < ?1 AND rowid < ifnull((SELECT rowid FROM idempotency WHERE at >= ?1 "
        "ORDER BY rowid LIMIT 1), 9223372036854775807)");
    if (!query) return std::unexpected(query.error());
    query->bind(1, horizon.ms);
    if (auto done = query->run(); !done) return std::unexpected(refused(std::move(done.error())));
    return {};
  }

  Result<Pruned> prune(std::uint64_t to, std::size_t limit) override {
    auto done = in_place();
    if (!done) return std::unexpected(refused(std::move(done.error())));
    auto pruned = ym::sqlite::prune(*database_, meta_, to, limit);
    if (!pruned) return std::unexpected(refused(std::move(pruned.error())));
    checkpoint_if_due();
    return pruned;
  }

 private:
  static int on_wal(void* pages, sqlite3*, const char*, int count) {
    *static_cast<int*>(pages) = count;
    return SQLITE_OK;
  }

  Result<void> write_and_note(const Commit& commit, const Rewrite* rewrite) {
    const Meta next = meta_.after(commit.events);
    auto done = in_place();
    if (done) done = write(commit, rewrite, next);
    if (!done) return std::unexpected(refused(std::move(done.error())));
    meta_ = next;
    notes_.note(*database_, meta_.last_seq);
    checkpoint_if_due();
    return {};
  }

  Result<void> write(const Commit& commit, const Rewrite* rewrite, const Meta& next) {
    auto transaction = Transaction::begin(*database_, Transaction::Kind::write);
    if (!transaction) return std::unexpected(transaction.error());
    // First, so that a server that has been replaced writes nothing.
    if (auto done = replace_meta(*database_, meta_, next); !done) return done;
    if (auto done = write_commit(*database_, commit); !done) return done;
    if (rewrite)
      if (auto done = write_rewrite(*database_, *rewrite); !done) return done;
    return transaction->commit();
  }

  // If the file was deleted or replaced, a commit into the open file would be lost.
  Result<void> in_place() {
    int moved = 0;
    sqlite3_file_control(database_->handle(), "main", SQLITE_FCNTL_HAS_MOVED, &moved);
    if (moved == 0) return dir_.still_ours();
    return fail(ErrorCode::unavailable, fmt::format("{} was deleted or replaced while the server runs on it: nothing "
                                                    "more is accepted. Put it back, or stop the server",
                                                    dir_.database().string()));
  }

  // After an error of the disk nothing of the transaction is stored, and the next try may work. Only damage and another
  // server keep their codes.
  static Error refused(Error error) {
    if (error.code == ErrorCode::corrupt || error.code == ErrorCode::conflict) return error;
    error.code = ErrorCode::unavailable;
    error.retryable = true;
    return error;
  }

  // The store checkpoints itself, because SQLite's automatic checkpoint would hide a failed fsync of the database.
  // After any other failure the log grows until the next try.
  void checkpoint_if_due() {
    if (wal_pages_ < options_.checkpoint_pages) return;
    const int code =
        sqlite3_wal_checkpoint_v2(database_->handle(), "main", SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
    if (code != SQLITE_OK) (void)database_->error(code);
  }

  StateDir dir_;  // first: the lock is released last
  std::unique_ptr<LogVfs> vfs_;
  std::unique_ptr<Database> database_;
  Notes notes_;
  Meta meta_;
  SqliteOptions options_;
  bool set_back_;
  int wal_pages_ = 0;
};

}  // namespace

Result<std::unique_ptr<Store>> open_sqlite_store(const fs::path& path, const SqliteOptions& options) {
  auto dir = StateDir::enter(path, {.initialise = options.initialise,
                                    .even_if_moved = options.even_if_moved,
                                    .take_over = options.take_over,
                                    .receipts = options.receipts});
  if (!dir) return std::unexpected(dir.error());
  auto vfs = std::make_unique<LogVfs>(options.vfs);
  auto database = open_database(*dir, *vfs, options);
  if (!database) return std::unexpected(as_damage(*dir, database.error()));
  auto notes = Notes::open(dir->path(), options.receipts);
  if (!notes) return std::unexpected(notes.error());
  if (auto checked = check_and_migrate(*dir, **database, notes->inside(), options); !checked)
    return std::unexpected(as_damage(*dir, checked.error()));
  const auto meta = read_meta(**database);
  if (!meta) return std::unexpected(meta.error());
  // Before the state is marked as an original: the next start after a crash still sees that it was set back.
  if (options.take_over)
    if (auto forgotten = notes->inside().forget(); !forgotten) return std::unexpected(forgotten.error());
  if (auto marked = dir->mark_initialised(); !marked) return std::unexpected(marked.error());
  (*database)->checkpoint_on_close();
  const bool set_back = options.take_over || notes->tell_of_loss(**database, meta->last_seq);
  return std::make_unique<SqliteStore>(std::move(*dir), std::move(vfs), std::move(*database), std::move(*notes), *meta,
                                       set_back, options);
}

}  // namespace ym
