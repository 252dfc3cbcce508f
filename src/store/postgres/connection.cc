#include "store/postgres/connection.h"

#include <fmt/format.h>
#include <libpq-fe.h>
#include <poll.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <ranges>

#include "base/assert.h"
#include "base/loopback.h"
#include "store/postgres/errors.h"

namespace ym::postgres {
namespace {

// Enough for all texts except those of searches, which differ with their filters.
constexpr std::size_t kKeptStatements = 200;

// Whether one of the hosts is another machine.
bool is_remote(const std::string& conninfo) {
  const std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)> parsed(PQconninfoParse(conninfo.c_str(), nullptr),
                                                                            PQconninfoFree);
  for (const auto* option = parsed.get(); option && option->keyword; ++option) {
    const std::string_view keyword = option->keyword;
    if (!option->val || (keyword != "host" && keyword != "hostaddr")) continue;
    for (const auto part : std::views::split(std::string_view(option->val), ',')) {
      const std::string_view host(part.begin(), part.end());
      if (!host.empty() && !host.starts_with('/') && !host.starts_with('@') && !is_loopback(host)) return true;
    }
  }
  return false;
}

// libpq's own default falls back to clear text without a word.
const char* default_sslmode(const std::string& conninfo) {
  return std::getenv("PGSSLMODE") == nullptr && is_remote(conninfo) ? "require" : nullptr;
}

// Defaults that the caller's own settings may replace. With them a peer that vanished is noticed within seconds.
PGconn* connect(const ConnectionOptions& options) {
  const char* attributes = options.access == Access::write ? "read-write" : "any";
  const std::array keywords{"connect_timeout",
                            "keepalives_idle",
                            "keepalives_interval",
                            "keepalives_count",
                            "tcp_user_timeout",
                            "application_name",
                            "target_session_attrs",
                            "sslmode",
                            "dbname",
                            "client_encoding",
                            static_cast<const char*>(nullptr)};
  const std::array values{"5",
                          "5",
                          "2",
                          "3",
                          "10000",
                          "yardmaster",
                          attributes,
                          default_sslmode(options.conninfo),
                          options.conninfo.c_str(),
                          "UTF8",
                          static_cast<const char*>(nullptr)};
  return PQconnectdbParams(keywords.data(), values.data(), 1);
}

std::string_view or_empty(const char* text) { return text ? text : ""; }

}  // namespace

void ResultDeleter::operator()(pg_result* result) const { PQclear(result); }

bool Row::is_null(int column) const { return PQgetisnull(result_, index_, column) != 0; }

std::int64_t Row::integer(int column) const { return from_big_endian(bytes(column)); }

std::string_view Row::bytes(int column) const {
  return {PQgetvalue(result_, index_, column), static_cast<std::size_t>(PQgetlength(result_, index_, column))};
}

rows::Cells Row::cells() const {
  rows::Cells cells;
  for (int i = 0; i < PQnfields(result_); ++i) {
    auto& cell = cells.at(static_cast<std::size_t>(i));
    if (is_null(i)) continue;
    if (PQftype(result_, i) == static_cast<Oid>(Type::int8)) cell = integer(i);
    else cell = bytes(i);
  }
  return cells;
}

std::size_t Rows::columns() const { return static_cast<std::size_t>(PQnfields(result_.get())); }

int Rows::size() const { return PQntuples(result_.get()); }

Result<std::unique_ptr<Connection>> Connection::open(const ConnectionOptions& options) {
  auto connection = std::unique_ptr<Connection>(new Connection(connect(options), options.answer_timeout));
  PGconn* handle = connection->handle_;
  connection->place_ = fmt::format("PostgreSQL at {}, database '{}', schema '{}'", or_empty(PQhost(handle)),
                                   or_empty(PQdb(handle)), options.schema);
  if (PQstatus(handle) != CONNECTION_OK) return connection->gone(or_empty(PQerrorMessage(handle)));
  PQsetNoticeProcessor(handle, [](void*, const char*) {}, nullptr);
  if (PQsetnonblocking(handle, 1) != 0) return connection->gone(or_empty(PQerrorMessage(handle)));
  if (auto done = connection->configure(options); !done) return std::unexpected(done.error());
  return connection;
}

Connection::~Connection() { PQfinish(handle_); }

std::string Connection::quoted(const std::string& identifier) const {
  char* text = PQescapeIdentifier(handle_, identifier.data(), identifier.size());
  YM_ASSERT(text);
  std::string copy = text;
  PQfreemem(text);
  return copy;
}

// The site's settings do not matter: the store depends on these. Both 'remote_apply' and 'on' are durable.
Result<void> Connection::configure(const ConnectionOptions& options) {
  auto done =
      execute(fmt::format("SET search_path TO {}; SET default_transaction_isolation TO 'read committed'; "
                          "SET jit TO off; SET default_transaction_read_only TO {}",
                          quoted(options.schema), options.access == Access::write ? "off" : "on"));
  if (!done || options.access == Access::read_only) return done;
  return execute(
      "SELECT set_config('synchronous_commit', 'on', false) "
      "WHERE current_setting('synchronous_commit') IN ('off', 'local', 'remote_write')");
}

std::unexpected<Error> Connection::gone(std::string_view what) {
  lost_ = true;
  return std::unexpected(error_of(place_, "08006", what));
}

bool Connection::was_closed() {
  pollfd socket{.fd = PQsocket(handle_), .events = POLLIN, .revents = 0};
  while (!lost_ && ::poll(&socket, 1, 0) > 0) lost_ = PQconsumeInput(handle_) == 0;  // a last message may come first
  return lost_;
}

std::unexpected<Error> Connection::refused(const PGresult* result) {
  if (PQstatus(handle_) != CONNECTION_OK) return gone(or_empty(PQresultErrorMessage(result)));
  return std::unexpected(error_of(place_, or_empty(PQresultErrorField(result, PG_DIAG_SQLSTATE)),
                                  or_empty(PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY))));
}

Result<void> Connection::wait(short events) {
  pollfd socket{.fd = PQsocket(handle_), .events = events, .revents = 0};
  const auto until = std::chrono::steady_clock::now() + timeout_;
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now()).count();
    const int ready = left > 0 ? ::poll(&socket, 1, static_cast<int>(left)) : 0;
    if (ready > 0) return {};
    if (ready == 0) return gone(fmt::format("no answer within {} ms", timeout_.count()));
    if (errno != EINTR) return gone(std::strerror(errno));
  }
}

// Reads answers while it sends, so that client and server do not wait for each other.
Result<void> Connection::flush() {
  while (true) {
    const int left = PQflush(handle_);
    if (left == 0) return {};
    if (left < 0) return gone(or_empty(PQerrorMessage(handle_)));
    if (auto ready = wait(POLLIN | POLLOUT); !ready) return ready;
    if (PQconsumeInput(handle_) == 0) return gone(or_empty(PQerrorMessage(handle_)));
  }
}

Result<ResultPtr> Connection::next() {
  while (PQisBusy(handle_) != 0) {
    if (auto ready = wait(POLLIN); !ready) return std::unexpected(ready.error());
    if (PQconsumeInput(handle_) == 0) return gone(or_empty(PQerrorMessage(handle_)));
  }
  ResultPtr result(PQgetResult(handle_));
  if (PQstatus(handle_) != CONNECTION_OK) return gone(or_empty(PQerrorMessage(handle_)));
  return result;
}

Result<ResultPtr> Connection::last() {
  if (auto sent = flush(); !sent) return std::unexpected(sent.error());
  ResultPtr kept;
  Result<void> outcome;
  while (true) {
    auto result = next();
    if (!result) return std::unexpected(result.error());
    if (!*result) break;
    if (outcome && PQresultStatus(result->get()) == PGRES_FATAL_ERROR) outcome = refused(result->get());
    kept = std::move(*result);
  }
  if (!outcome) return std::unexpected(outcome.error());
  YM_ASSERT(kept);
  return kept;
}

Result<std::string> Connection::prepare(std::string_view sql, const Parameters& parameters) {
  if (const auto it = statements_.find(sql); it != statements_.end()) return it->second;
  if (statements_.size() >= kKeptStatements) {
    statements_.clear();
    if (auto done = execute("DEALLOCATE ALL"); !done) return std::unexpected(done.error());
  }
  auto name = fmt::format("s{}", statements_.size());
  const std::string text(sql);
  if (PQsendPrepare(handle_, name.c_str(), text.c_str(), parameters.count(), parameters.types()) == 0)
    return gone(or_empty(PQerrorMessage(handle_)));
  if (const auto done = last(); !done) return std::unexpected(done.error());
  statements_.emplace(text, name);
  return name;
}

Result<void> Connection::send(const std::string& name, const Parameters& parameters) {
  if (PQsendQueryPrepared(handle_, name.c_str(), parameters.count(), parameters.values().data(),
                          parameters.lengths().data(), parameters.formats().data(), 1) == 0)
    return gone(or_empty(PQerrorMessage(handle_)));
  return {};
}

Result<Rows> Connection::run(std::string_view sql, const Parameters& parameters) {
  if (lost_) return gone("the connection was lost");
  const auto name = prepare(sql, parameters);
  if (!name) return std::unexpected(name.error());
  if (auto sent = send(*name, parameters); !sent) return std::unexpected(sent.error());
  auto result = last();
  if (!result) return std::unexpected(result.error());
  return Rows(std::move(*result));
}

Result<void> Connection::execute(const std::string& sql) {
  if (lost_) return gone("the connection was lost");
  if (PQsendQuery(handle_, sql.c_str()) == 0) return gone(or_empty(PQerrorMessage(handle_)));
  if (const auto result = last(); !result) return std::unexpected(result.error());
  return {};
}

// The end of the pipeline commits. The first statement that fails undoes all of them. All statements are prepared
// before: a writer has few texts, so no prepared statement is dropped for another.
Result<void> Connection::transact(std::span<const Statement> statements,
                                  std::optional<std::chrono::milliseconds> answer_timeout) {
  if (lost_) return gone("the connection was lost");
  std::vector<std::string> names;
  for (const auto& [sql, parameters] : statements) {
    auto name = prepare(sql, parameters);
    if (!name) return std::unexpected(name.error());
    names.push_back(std::move(*name));
  }
  const auto usual = std::exchange(timeout_, answer_timeout.value_or(timeout_));
  auto outcome = run_in_pipeline(statements, names);
  timeout_ = usual;
  return outcome;
}

Result<void> Connection::run_in_pipeline(std::span<const Statement> statements, std::span<const std::string> names) {
  if (PQenterPipelineMode(handle_) == 0) return gone("no pipeline");
  for (std::size_t i = 0; i < statements.size(); ++i)
    if (auto sent = send(names[i], statements[i].parameters); !sent) return sent;
  if (PQpipelineSync(handle_) == 0) return gone(or_empty(PQerrorMessage(handle_)));
  auto outcome = until_synced();
  if (!lost_ && PQexitPipelineMode(handle_) == 0) return gone("the pipeline does not end");
  return outcome;
}

Result<void> Connection::until_synced() {
  if (auto sent = flush(); !sent) return sent;
  Result<void> outcome;
  while (true) {
    const auto result = next();
    if (!result) return std::unexpected(result.error());
    if (!*result) continue;  // between the answers of two statements
    const auto status = PQresultStatus(result->get());
    if (status == PGRES_PIPELINE_SYNC) return outcome;
    if (outcome && status == PGRES_FATAL_ERROR) outcome = refused(result->get());
  }
}

Result<Transaction> Transaction::begin(Connection& connection, Access access) {
  if (auto begun =
          connection.execute(access == Access::write ? "BEGIN" : "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
      !begun)
    return std::unexpected(begun.error());
  return Transaction(connection);
}

Transaction::~Transaction() {
  if (connection_ && !connection_->lost()) (void)connection_->execute("ROLLBACK");
}

Result<void> Transaction::commit() { return std::exchange(connection_, nullptr)->execute("COMMIT"); }

}  // namespace ym::postgres
