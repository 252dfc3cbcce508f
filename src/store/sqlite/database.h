// A thin, safe layer over SQLite: connections, cached statements, errors as values.
//
// A Database and its Queries belong to one thread at a time. A failed fsync aborts the process, because the content of
// the disk is unknown after it.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "store/rows/cells.h"
#include "store/sqlite/damage.h"

namespace ym::sqlite {

// One use of a statement. The destructor resets the statement, so that a finished read holds no snapshot. Parameters
// count from 1, columns from 0.
class Query {
 public:
  Query(class Database& database, sqlite3_stmt* statement) : database_(&database), statement_(statement) {}
  ~Query();
  Query(Query&& other) noexcept : database_(other.database_), statement_(std::exchange(other.statement_, nullptr)) {}
  Query& operator=(Query&&) = delete;

  // The text must stay valid until the last step().
  void bind(int index, std::string_view text);
  void bind(int index, std::int64_t number);
  void bind(int index, std::nullopt_t);
  template <class T>
  void bind(int index, const std::optional<T>& value) {
    if (value) bind(index, *value);
    else bind(index, std::nullopt);
  }
  void bind_cell(int index, const rows::Cell& cell);

  Result<bool> step();  // true: there is a row
  Result<void> run();   // to the end; the statement returns no rows

  int columns() const { return sqlite3_column_count(statement_); }
  int type(int column) const { return sqlite3_column_type(statement_, column); }
  std::int64_t integer(int column) const { return sqlite3_column_int64(statement_, column); }
  std::string_view text(int column) const;  // valid until the next step
  // The store writes only nulls, numbers and texts. A value of another type counts as null.
  rows::Cell cell(int column) const;
  rows::Cells cells() const;  // without the last column, the checksum

  Database& database() const { return *database_; }

 private:
  Database* database_;
  sqlite3_stmt* statement_;
};

enum class Access {
  write,      // the writer
  read_only,  // a reader: never writes, never checkpoints
  frozen,     // a reader where no file can be made: the database has no log, and it does not change
};

class Database {
 public:
  static Result<std::unique_ptr<Database>> open(const std::filesystem::path& file, Access access,
                                                const std::string& vfs = {});
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  // Prepares a statement once and keeps it.
  Result<Query> query(std::string_view sql);
  Result<void> execute(const std::string& sql);        // any number of statements
  Result<std::int64_t> integer(std::string_view sql);  // first column of the only row

  // By default closing leaves the log alone, so that a refused start changes nothing. After this call, the last
  // connection to close moves the log into the database.
  void checkpoint_on_close();

  // The error for a result code of SQLite. Aborts for a failed fsync.
  Error error(int code) const;

  const std::filesystem::path& file() const { return file_; }
  sqlite3* handle() const { return handle_; }

 private:
  explicit Database(std::filesystem::path file) : file_(std::move(file)) {}
  Result<void> configure(Access access);

  std::filesystem::path file_;
  sqlite3* handle_ = nullptr;
  std::map<std::string, sqlite3_stmt*, std::less<>> statements_;
};

// Rolls back unless it was committed.
class Transaction {
 public:
  enum class Kind { read, write };
  static Result<Transaction> begin(Database& database, Kind kind);
  ~Transaction();
  Transaction(Transaction&& other) noexcept : database_(std::exchange(other.database_, nullptr)) {}
  Transaction& operator=(Transaction&&) = delete;
  Result<void> commit();

 private:
  explicit Transaction(Database& database) : database_(&database) {}
  Database* database_;
};

}  // namespace ym::sqlite
