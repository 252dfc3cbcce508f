#include "store/postgres/postgres_store.h"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "store/postgres/commit_writer.h"
#include "store/postgres/compact.h"
#include "store/postgres/errors.h"
#include "store/postgres/history_reader.h"
#include "store/postgres/home.h"
#include "store/postgres/lease.h"
#include "store/postgres/load_state.h"
#include "store/postgres/migrations.h"
#include "store/postgres/opening.h"
#include "store/postgres/prune.h"

namespace ym {
namespace {

using namespace postgres;

[[noreturn]] void abort_in_doubt(const Error& error) {
  std::fprintf(stderr,
               "yardmaster: the connection was lost during a commit, and the database has not come back, so it is "
               "unknown whether the commit is stored: %s. Stopping now, because any answer may be wrong; the next "
               "start reads what is stored.\n",
               error.message.c_str());
  std::abort();
}

class PostgresStore final : public Store {
 public:
  PostgresStore(const PostgresOptions& options, LeadingSession session, Meta meta, std::uint64_t bytes, bool set_back)
      : options_(options),
        session_(std::move(session)),
        meta_(meta),
        set_back_(set_back),
        has_mark_(set_back),
        lease_({.connection = connection_of(options, Access::write),
                .claim = session_.claim(),
                .on_replaced = options.on_replaced},
               session_.term(), bytes) {}

  ~PostgresStore() override {
    lease_.stop();
    session_.give_up();
  }

  Result<LoadedState> load() override {
    auto connection = leading();
    if (!connection) return std::unexpected(connection.error());
    auto loaded = load_state(**connection);
    if (!loaded && (*connection)->lost()) {
      connection = leading();
      if (!connection) return std::unexpected(connection.error());
      loaded = load_state(**connection);
    }
    if (!loaded) return std::unexpected(loaded.error());
    meta_ = loaded->meta;
    return std::move(loaded->state);
  }

  Result<void> commit(const Commit& commit) override { return store(commit, statements_of(commit)); }

  Result<void> rewrite(const Rewrite& rewrite, const Commit& commit) override {
    auto statements = statements_of(commit);
    for (auto& statement : statements_of(rewrite)) statements.push_back(std::move(statement));
    return store(commit, std::move(statements), kRewriteTimeout);
  }

  Result<void> compact() override {
    auto options = connection_of(options_, Access::write);
    options.answer_timeout = kRewriteTimeout;
    auto connection = Connection::open(options);
    if (!connection) return std::unexpected(refused(connection.error()));
    if (auto done = postgres::compact(**connection); !done) return std::unexpected(refused(std::move(done.error())));
    return {};
  }

  Result<std::unique_ptr<StoreReader>> reader() override {
    const auto options = connection_of(options_, Access::read_only);
    auto connection = Connection::open(options);
    if (!connection) return std::unexpected(connection.error());
    return std::make_unique<HistoryReader>(options, std::move(*connection));
  }

  Instant last_time() const override { return meta_.state.last_time; }

  bool is_set_back() const override { return set_back_; }

  std::uint64_t bytes() const override { return lease_.bytes(); }

  Result<void> expire_idempotency(Instant horizon) override {
    auto connection = leading();
    if (!connection) return std::unexpected(refused(connection.error()));
    std::array statements{Statement{"SELECT must_lead($1)"}, Statement{kExpire}};
    statements[0].parameters.add(session_.term());
    statements[1].parameters.add(horizon.ms);
    if (auto done = (*connection)->transact(statements); !done)
      return std::unexpected(refused(std::move(done.error())));
    return {};
  }

  Result<Pruned> prune(std::uint64_t to, std::size_t limit) override {
    auto connection = leading();
    if (!connection) return std::unexpected(refused(connection.error()));
    auto pruned = postgres::prune(**connection, session_.term(), pruned_to_, to, limit);
    if (!pruned) return std::unexpected(refused(std::move(pruned.error())));
    pruned_to_ = std::max(pruned_to_, pruned->last);
    return pruned;
  }

 private:
  // A table is written anew in it, or much of it.
  static constexpr std::chrono::hours kRewriteTimeout{12};
  // Records are in the order of their time. The first one that is young enough ends the search.
  static constexpr const char* kExpire =
      "DELETE FROM idempotency WHERE at < $1 AND id < coalesce((SELECT id FROM idempotency WHERE at >= $1 ORDER BY id "
      "LIMIT 1), 9223372036854775807)";

  Result<void> store(const Commit& commit, std::vector<Statement> statements,
                     std::optional<std::chrono::milliseconds> answer_timeout = {}) {
    const Meta next = meta_.after(commit.events);
    statements.insert(statements.begin(), Statement{});
    if (has_mark_) statements.push_back({.sql = std::string(kNotSetBack)});
    const auto until = std::chrono::steady_clock::now() + options_.wait_timeout;
    auto stored = write(statements, next, answer_timeout);
    while (stored && !*stored && std::chrono::steady_clock::now() < until)
      stored = write(statements, next, answer_timeout);
    if (!stored) return std::unexpected(refused(std::move(stored.error())));
    if (!*stored) return std::unexpected(refused({.message = "the connection to PostgreSQL is lost again and again"}));
    meta_ = next;
    has_mark_ = false;
    return {};
  }

  Result<Connection*> leading() {
    auto connection = session_.connection();
    lease_.set_term(session_.term());
    return connection;
  }

  // One attempt to write. False: the connection was lost, and nothing is stored.
  Result<bool> write(std::vector<Statement>& statements, const Meta& next,
                     std::optional<std::chrono::milliseconds> answer_timeout) {
    const auto connection = leading();
    if (!connection) return std::unexpected(connection.error());
    statements.front() = begin_commit(session_.term(), meta_, next);
    const auto done = (*connection)->transact(statements, answer_timeout);
    if (done) return true;
    if (!(*connection)->lost()) return std::unexpected(done.error());
    const auto stored = session_.is_stored(next.commits);
    lease_.set_term(session_.term());
    if (!stored) abort_in_doubt(stored.error());
    return *stored;
  }

  // After an error of the database nothing of the transaction is stored, and the next try may work. Only damage and
  // another server keep their codes.
  static Error refused(Error error) {
    if (error.code == ErrorCode::corrupt || error.code == ErrorCode::conflict) return error;
    error.code = ErrorCode::unavailable;
    error.retryable = true;
    return error;
  }

  PostgresOptions options_;
  LeadingSession session_;
  Meta meta_;
  bool set_back_;
  std::uint64_t pruned_to_ = 0;
  bool has_mark_;  // the database has the mark of a set back state
  Lease lease_;
};

}  // namespace

Result<std::unique_ptr<Store>> open_postgres_store(const PostgresOptions& options) {
  auto session = open_to_lead(options);
  if (!session) return std::unexpected(session.error());
  const auto connection = session->connection();
  if (!connection) return std::unexpected(connection.error());
  const auto meta = read_meta(**connection);
  if (!meta) return std::unexpected(meta.error());
  const auto bytes = stored_bytes(**connection);
  if (!bytes) return std::unexpected(bytes.error());
  const auto set_back = was_set_back(**connection);
  if (!set_back) return std::unexpected(set_back.error());
  return std::make_unique<PostgresStore>(options, std::move(*session), *meta, *bytes, *set_back);
}

namespace {

// Opens a connection that reads a state with this version's schema.
Result<std::unique_ptr<Connection>> connect_to_read(const PostgresOptions& options) {
  auto connection = Connection::open(connection_of(options, Access::read_only));
  if (!connection) return connection;
  const auto version = known_version(**connection);
  if (!version) return std::unexpected(version.error());
  if (*version == migrations().size()) return connection;
  return fail(ErrorCode::conflict, fmt::format("{}: an older version wrote it; a server of this version has to lead",
                                               (*connection)->place()));
}

}  // namespace

Result<std::unique_ptr<StoreReader>> open_postgres_history(const PostgresOptions& options) {
  auto connection = connect_to_read(options);
  if (!connection) return std::unexpected(connection.error());
  return std::make_unique<HistoryReader>(connection_of(options, Access::read_only), std::move(*connection));
}

Result<LoadedState> read_postgres_state(const PostgresOptions& options) {
  const auto connection = connect_to_read(options);
  if (!connection) return std::unexpected(connection.error());
  auto loaded = load_state(**connection);
  if (!loaded) return std::unexpected(loaded.error());
  return std::move(loaded->state);
}

Result<PostgresLeader> postgres_leader(const PostgresOptions& options) {
  auto connection = Connection::open(connection_of(options, Access::read_only));
  if (!connection) return std::unexpected(connection.error());
  const auto leader = read_leader(**connection);
  if (!leader) return std::unexpected(leader.error());
  return PostgresLeader{.holder = leader->holder, .url = leader->url, .term = leader->term, .left = leader->left};
}

Result<std::optional<std::string>> postgres_copy_of(const PostgresOptions& options) {
  auto connection = Connection::open(connection_of(options, Access::read_only));
  if (!connection) return std::unexpected(connection.error());
  return other_home(**connection);
}

Result<Secret> shared_secret(const PostgresOptions& options, std::string_view name, const Secret& made) {
  auto connection = Connection::open(connection_of(options, Access::write));
  if (!connection) return std::unexpected(connection.error());
  Parameters parameters;
  parameters.add_text(name).add(std::string_view(made.reveal()));
  const auto stored =
      (*connection)->run("INSERT INTO secrets VALUES($1, $2) ON CONFLICT (name) DO NOTHING", parameters);
  if (!stored) return std::unexpected(stored.error());
  Parameters wanted;
  const auto rows = (*connection)->run("SELECT value FROM secrets WHERE name = $1", wanted.add_text(name));
  if (!rows) return std::unexpected(rows.error());
  return Secret(std::string((*rows)[0].bytes(0)));
}

}  // namespace ym
