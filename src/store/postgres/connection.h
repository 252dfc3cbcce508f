// A thin, safe layer over libpq: connections, statements prepared once, errors as values.
//
// A Connection belongs to one thread at a time. If an answer takes longer than `answer_timeout`, the connection counts
// as lost. A lost connection stays lost.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "store/postgres/parameters.h"
#include "store/rows/cells.h"

// Types of libpq. Only sources include its header.
struct pg_conn;
struct pg_result;

namespace ym::postgres {

struct ResultDeleter {
  void operator()(pg_result* result) const;
};
using ResultPtr = std::unique_ptr<pg_result, ResultDeleter>;

// One row of an answer. It is valid as long as its Rows. Columns count from 0.
class Row {
 public:
  Row(const pg_result* result, int index) : result_(result), index_(index) {}
  bool is_null(int column) const;
  std::int64_t integer(int column) const;    // of a bigint that is not null
  std::string_view bytes(int column) const;  // of text or bytea; empty if null
  rows::Cells cells() const;                 // a row of a table of the schema, with the columns of kSelect*

 private:
  const pg_result* result_;
  int index_;
};

// All rows of the answer to a statement.
class Rows {
 public:
  explicit Rows(ResultPtr result) : result_(std::move(result)) {}
  int size() const;
  std::size_t columns() const;
  Row operator[](int index) const { return {result_.get(), index}; }

 private:
  ResultPtr result_;
};

enum class Access {
  write,      // requires a server that takes writes; a commit is flushed before it is answered
  read_only,  // a standby server of PostgreSQL will do, too
};

struct ConnectionOptions {
  std::string conninfo;  // "host=... dbname=..." or "postgresql://..."; may hold a password
  std::string schema;    // the schema that holds all tables
  Access access = Access::write;
  std::chrono::milliseconds answer_timeout{30'000};
};

// The text of a statement, and its parameters.
struct Statement {
  std::string sql;
  Parameters parameters{};
};

class Connection {
 public:
  // Errors: `unavailable`: there is no server, it is not ready, or it refuses the login (libpq does not distinguish
  // these).
  static Result<std::unique_ptr<Connection>> open(const ConnectionOptions& options);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Outside a transaction, each statement is a transaction of its own.
  Result<Rows> run(std::string_view sql, const Parameters& parameters = {});
  Result<void> execute(const std::string& sql);  // any number of statements, without parameters

  // Runs all statements in one transaction and one round trip. If this fails and the connection is lost, it is unknown
  // whether they were committed. If it fails and the connection is not lost, nothing is stored.
  // The answer comes at the end: for statements that take long, a longer `answer_timeout` than the connection's.
  Result<void> transact(std::span<const Statement> statements,
                        std::optional<std::chrono::milliseconds> answer_timeout = {});

  bool lost() const { return lost_; }
  // Whether the server has closed the connection since the last answer. The connection is lost then, but no statement
  // was under way.
  bool was_closed();
  // The address for messages. It never has the password.
  const std::string& place() const { return place_; }
  std::string quoted(const std::string& identifier) const;

 private:
  explicit Connection(pg_conn* handle, std::chrono::milliseconds timeout) : handle_(handle), timeout_(timeout) {}
  Result<void> configure(const ConnectionOptions& options);
  Result<std::string> prepare(std::string_view sql, const Parameters& parameters);
  Result<void> send(const std::string& name, const Parameters& parameters);
  Result<void> flush();
  Result<void> wait(short events);
  Result<ResultPtr> next();  // null: no more answers of this statement
  Result<ResultPtr> last();  // the last answer to what was sent
  Result<void> run_in_pipeline(std::span<const Statement> statements, std::span<const std::string> names);
  Result<void> until_synced();
  std::unexpected<Error> refused(const pg_result* result);
  std::unexpected<Error> gone(std::string_view what);

  pg_conn* handle_;
  std::chrono::milliseconds timeout_;
  std::string place_;
  bool lost_ = false;
  std::map<std::string, std::string, std::less<>> statements_;  // text -> name
};

// Rolls back unless it was committed. Used for consistent reads and for changes of the schema.
class Transaction {
 public:
  static Result<Transaction> begin(Connection& connection, Access access);
  ~Transaction();
  Transaction(Transaction&& other) noexcept : connection_(std::exchange(other.connection_, nullptr)) {}
  Transaction& operator=(Transaction&&) = delete;
  Result<void> commit();

 private:
  explicit Transaction(Connection& connection) : connection_(&connection) {}
  Connection* connection_;
};

}  // namespace ym::postgres
