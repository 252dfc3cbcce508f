// A thin, safe layer over libpq: connections, statements prepared once, errors as values.
//
// A Connection belongs to one thread at a time. Whatever is sent is answered within
// `answer_timeout` or the connection counts as lost; a lost one stays lost.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "store/postgres/parameters.h"
#include "store/rows/cells.h"

// libpq's; only sources include its header.
struct pg_conn;
struct pg_result;

namespace ym::postgres {

struct ResultDeleter {
  void operator()(pg_result* result) const;
};
using ResultPtr = std::unique_ptr<pg_result, ResultDeleter>;

// One row of an answer; lives as long as its Rows. Columns count from 0.
class Row {
 public:
  Row(const pg_result* result, int index) : result_(result), index_(index) {}
  bool is_null(int column) const;
  std::int64_t integer(int column) const;    // of a bigint that is not null
  std::string_view bytes(int column) const;  // of text or bytea; empty if null
  rows::Cells cells() const;                 // of a row of one of our tables, as our selects name its columns

 private:
  const pg_result* result_;
  int index_;
};

// The whole answer to a statement.
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
  write,      // wants a server that takes writes; commits are flushed before they are answered
  read_only,  // of a standby server of PostgreSQL too
};

struct ConnectionOptions {
  std::string conninfo;  // "host=... dbname=..." or "postgresql://..."; may hold a password
  std::string schema;    // where all our tables are
  Access access = Access::write;
  std::chrono::milliseconds answer_timeout{30'000};
};

// A statement of one text and its parameters.
struct Statement {
  std::string sql;
  Parameters parameters{};
};

class Connection {
 public:
  // Errors: `unavailable`: no server, not yet, or it does not let us in (libpq does not tell these apart).
  static Result<std::unique_ptr<Connection>> open(const ConnectionOptions& options);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Outside a transaction each one is a transaction of its own.
  Result<Rows> run(std::string_view sql, const Parameters& parameters = {});
  Result<void> execute(const std::string& sql);  // any number of statements, without parameters

  // All of them in one transaction and one round trip. If it fails and the connection is
  // lost, then nobody here knows whether they were committed; if it fails and it is not
  // lost, nothing of them is stored.
  Result<void> transact(std::span<const Statement> statements);

  bool lost() const { return lost_; }
  // Whether the other side has closed it since the last answer; then it is lost, and nothing is under way.
  bool was_closed();
  // Where it leads to, for messages; never the password.
  const std::string& place() const { return place_; }
  std::string quoted(const std::string& identifier) const;

 private:
  explicit Connection(pg_conn* handle, std::chrono::milliseconds timeout) : handle_(handle), timeout_(timeout) {}
  Result<void> configure(const ConnectionOptions& options);
  Result<std::string> prepare(std::string_view sql, const Parameters& parameters);
  Result<void> send(const std::string& name, const Parameters& parameters);
  Result<void> flush();
  Result<void> wait(short events);
  Result<ResultPtr> next();  // null: the end of one statement's answers
  Result<ResultPtr> last();  // the last answer of what was sent
  Result<void> until_synced();
  std::unexpected<Error> refused(const pg_result* result);
  std::unexpected<Error> gone(std::string_view what);

  pg_conn* handle_;
  std::chrono::milliseconds timeout_;
  std::string place_;
  bool lost_ = false;
  std::map<std::string, std::string, std::less<>> statements_;  // text -> name
};

// Rolls back what was not committed. For reads of one moment, and for the schema.
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
