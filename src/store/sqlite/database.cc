#include "store/sqlite/database.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

#include "base/assert.h"

namespace ym::sqlite {
namespace {

[[noreturn]] void abort_after_fsync(const std::filesystem::path& file) {
  std::fprintf(stderr,
               "yardmaster: the disk could not be flushed for %s: its content is now unknown. Stopping now, so that no "
               "lost commit is acknowledged; the next start recovers what the disk holds.\n",
               file.c_str());
  std::abort();
}

ErrorCode meaning_of(int code) {
  switch (code & 0xff) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB: return ErrorCode::corrupt;
    case SQLITE_FULL:
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_NOMEM: return ErrorCode::unavailable;
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
    case SQLITE_PERM: return ErrorCode::io;
    default: return ErrorCode::internal;
  }
}

// A URI: only a URI can say that the file never changes. SQLite then makes no index of the log beside it.
std::string frozen_name(const std::filesystem::path& file) {
  std::error_code failed;
  const auto whole = std::filesystem::absolute(file, failed);
  std::string name = "file://";
  for (const char c : failed ? file.string() : whole.string())
    name +=
        c == '%' || c == '?' || c == '#' ? fmt::format("%{:02x}", static_cast<unsigned char>(c)) : std::string(1, c);
  return name + "?immutable=1";
}

}  // namespace

Query::~Query() {
  if (!statement_) return;
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
}

void Query::bind(int index, std::string_view text) {
  // A null pointer would bind NULL and not the empty text.
  const char* data = text.data() ? text.data() : "";
  YM_ASSERT(sqlite3_bind_text64(statement_, index, data, text.size(), SQLITE_STATIC, SQLITE_UTF8) == SQLITE_OK);
}

void Query::bind(int index, std::int64_t number) {
  YM_ASSERT(sqlite3_bind_int64(statement_, index, number) == SQLITE_OK);
}

void Query::bind(int index, std::nullopt_t) { YM_ASSERT(sqlite3_bind_null(statement_, index) == SQLITE_OK); }

void Query::bind_cell(int index, const rows::Cell& cell) {
  if (const auto* number = std::get_if<std::int64_t>(&cell)) bind(index, *number);
  else if (const auto* text = std::get_if<std::string_view>(&cell)) bind(index, *text);
  else bind(index, std::nullopt);
}

Result<bool> Query::step() {
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return std::unexpected(database_->error(code));
}

Result<void> Query::run() {
  const auto row = step();
  if (!row) return std::unexpected(row.error());
  YM_ASSERT(!*row);
  return {};
}

std::string_view Query::text(int column) const {
  const void* data = sqlite3_column_blob(statement_, column);
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column));
  return data ? std::string_view(static_cast<const char*>(data), size) : std::string_view();
}

rows::Cell Query::cell(int column) const {
  switch (type(column)) {
    case SQLITE_INTEGER: return integer(column);
    case SQLITE_TEXT: return text(column);
    default: return {};
  }
}

rows::Cells Query::cells() const {
  rows::Cells cells;
  for (int i = 0; i < columns() - 1; ++i) cells.at(static_cast<std::size_t>(i)) = cell(i);
  return cells;
}

Result<std::unique_ptr<Database>> Database::open(const std::filesystem::path& file, Access access,
                                                 const std::string& vfs) {
  auto database = std::unique_ptr<Database>(new Database(file));
  int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  flags |= access == Access::write ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY;
  if (access == Access::frozen) flags |= SQLITE_OPEN_URI;
  const auto name = access == Access::frozen ? frozen_name(file) : file.string();
  const int code = sqlite3_open_v2(name.c_str(), &database->handle_, flags, vfs.empty() ? nullptr : vfs.c_str());
  if (code != SQLITE_OK) return std::unexpected(database->error(code));
  if (auto configured = database->configure(access); !configured) return std::unexpected(configured.error());
  return database;
}

Result<void> Database::configure(Access access) {
  // Another process may hold a lock for a moment (a backup, a shell). No other connection of this program does.
  sqlite3_busy_timeout(handle_, 5000);
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  // A reader that checkpoints, even as the last one to close, is a second checkpointer. Two of them can damage the log
  // in SQLite before 3.51.3.
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  if (access != Access::write)
    return execute("PRAGMA query_only=ON; PRAGMA wal_autocheckpoint=0; PRAGMA temp_store=MEMORY");
  // A larger cache costs memory and is not noticeably faster: the operating system caches the other pages.
  return execute(
      "PRAGMA synchronous=FULL; PRAGMA cell_size_check=ON; PRAGMA temp_store=MEMORY; "
      "PRAGMA cache_size=-16384; PRAGMA cache_spill=OFF; PRAGMA wal_autocheckpoint=0");
}

void Database::checkpoint_on_close() { sqlite3_db_config(handle_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, nullptr); }

Database::~Database() {
  for (const auto& [sql, statement] : statements_) sqlite3_finalize(statement);
  sqlite3_close(handle_);
}

Result<Query> Database::query(std::string_view sql) {
  if (const auto it = statements_.find(sql); it != statements_.end()) return Query(*this, it->second);
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v3(handle_, sql.data(), static_cast<int>(sql.size()), SQLITE_PREPARE_PERSISTENT,
                                      &statement, nullptr);
  if (code != SQLITE_OK) return std::unexpected(error(code));
  statements_.emplace(sql, statement);
  return Query(*this, statement);
}

Result<void> Database::execute(const std::string& sql) {
  const int code = sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return std::unexpected(error(code));
  return {};
}

Result<std::int64_t> Database::integer(std::string_view sql) {
  auto found = query(sql);
  if (!found) return std::unexpected(found.error());
  const auto row = found->step();
  if (!row) return std::unexpected(row.error());
  YM_ASSERT(*row);
  return found->integer(0);
}

Error Database::error(int code) const {
  if (code == SQLITE_IOERR_FSYNC || code == SQLITE_IOERR_DIR_FSYNC) abort_after_fsync(file_);
  const std::string text = handle_ ? sqlite3_errmsg(handle_) : sqlite3_errstr(code);
  const ErrorCode meaning = meaning_of(code);
  if (meaning == ErrorCode::corrupt) return damaged(file_, text);
  const char* advice = (code & 0xff) == SQLITE_FULL ? "; free some space, then it continues by itself" : "";
  return {.code = meaning,
          .message = fmt::format("{}: {} (SQLite code {}){}", file_.string(), text, code, advice),
          .retryable = meaning == ErrorCode::unavailable};
}

Result<Transaction> Transaction::begin(Database& database, Kind kind) {
  auto query = database.query(kind == Kind::write ? "BEGIN IMMEDIATE" : "BEGIN");
  if (!query) return std::unexpected(query.error());
  if (auto begun = query->run(); !begun) return std::unexpected(begun.error());
  return Transaction(database);
}

Transaction::~Transaction() {
  // After some errors SQLite has already rolled back.
  if (database_ && sqlite3_get_autocommit(database_->handle()) == 0) (void)database_->execute("ROLLBACK");
}

Result<void> Transaction::commit() {
  auto query = database_->query("COMMIT");
  if (!query) return std::unexpected(query.error());
  return query->run();
}

}  // namespace ym::sqlite
