// A thin, safe layer over SQLite: connections, cached statements, errors as values.
//
// A Database and its Queries belong to one thread at a time. An fsync that fails ends
// the process here: after it nobody knows what the disk holds.
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

// One use of a statement. It is reset when this goes out of scope, so that a finished
// read holds no snapshot. Parameters count from 1, columns from 0.
class Query {
 public:
  Query(class Database& database, sqlite3_stmt* statement) : database_(&database), statement_(statement) {}
  ~Query();
  Query(Query&& other) noexcept : database_(other.database_), statement_(std::exchange(other.statement_, nullptr)) {}
  Query& operator=(Query&&) = delete;

  // The text must live until the last step().
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
  Result<void> run();   // to the end, without rows

  int columns() const { return sqlite3_column_count(statement_); }
  int type(int column) const { return sqlite3_column_type(statement_, column); }
  std::int64_t integer(int column) const { return sqlite3_column_int64(statement_, column); }
  std::string_view text(int column) const;  // until the next step
  // Of what is neither null, number nor text we have written nothing: it counts as null.
  rows::Cell cell(int column) const;
  rows::Cells cells() const;  // without the last column, which is the sum

  Database& database() const { return *database_; }

 private:
  Database* database_;
  sqlite3_stmt* statement_;
};

enum class Access {
  write,      // the writer
  read_only,  // a reader: never writes, never checkpoints
  frozen,     // a reader of a file that nobody changes and that has no log, where no file can be made beside it
};

class Database {
 public:
  static Result<std::unique_ptr<Database>> open(const std::filesystem::path& file, Access access,
                                                const std::string& vfs = {});
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  // The statement is prepared once and kept.
  Result<Query> query(std::string_view sql);
  Result<void> execute(const std::string& sql);        // any number of statements
  Result<std::int64_t> integer(std::string_view sql);  // first column of the only row

  // By default closing leaves the log alone, so that a start that is refused changes
  // nothing. From now on the last connection to close moves it into the database.
  void checkpoint_on_close();

  // What SQLite's code means for a caller; aborts for a failed fsync.
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

// Rolls back what was not committed.
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
