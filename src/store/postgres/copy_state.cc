#include "store/postgres/copy_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "store/postgres/commit_writer.h"
#include "store/postgres/errors.h"
#include "store/postgres/home.h"
#include "store/postgres/leading_session.h"
#include "store/postgres/lease.h"
#include "store/postgres/meta.h"
#include "store/postgres/opening.h"
#include "store/postgres/table_sums.h"

namespace ym {
namespace {

using namespace postgres;

constexpr std::size_t kPage = 1000;

// Writes the whole state in one transaction. The caller has begun it.
class Copy {
 public:
  Copy(Store& from, Connection& to) : from_(from), to_(to) {}

  Result<Meta> run() {
    auto loaded = from_.load();
    if (!loaded) return std::unexpected(loaded.error());
    auto reader = from_.reader();
    if (!reader) return std::unexpected(reader.error());
    Result<void> done = copy_events(**reader, loaded->tables.history_segments);
    if (done) done = check(loaded->tables);
    if (done) done = copy_jobs(**reader);
    if (done) done = copy_rest(std::move(*loaded));
    if (!done) return std::unexpected(done.error());
    return Meta{.commits = 1, .state = meta_};
  }

  const TableSums& sums() const { return sums_; }

 private:
  Result<void> write(const Commit& commit) {
    sums_.add(commit);
    return send(statements_of(commit));
  }

  Result<void> send(const std::vector<Statement>& statements) {
    for (const auto& [sql, parameters] : statements)
      if (const auto done = to_.run(sql, parameters); !done) return std::unexpected(done.error());
    return {};
  }

  Result<void> copy_events(StoreReader& reader, const NamedRows<HistorySegment>& segments) {
    // The first event is a page of its own: others after it may have moved.
    for (std::size_t page = 1;; page = kPage) {
      auto events = reader.events({.after = meta_.last_seq}, page);
      if (!events) return std::unexpected(events.error());
      if (events->empty()) return {};
      for (auto expected = meta_.last_seq + 1; const Event& event : *events)
        if (event.seq != expected++) return missing(expected - 1);
      meta_ = meta_.after(*events);
      if (auto done = write({.events = std::move(*events)}); !done) return done;
      if (page != 1) continue;
      if (auto passed = pass_moved(reader, segments); !passed) return passed;
    }
  }

  static std::unexpected<Error> missing(std::uint64_t seq) {
    return fail(ErrorCode::corrupt, fmt::format("event {} is missing", seq));
  }

  // Events that are in segments of the history may have left. The segments stay files, and their rows are copied.
  Result<void> pass_moved(StoreReader& reader, const NamedRows<HistorySegment>& segments) {
    const auto next = reader.events({.after = 1}, 1);
    if (!next) return std::unexpected(next.error());
    if (next->empty() || next->front().seq == 2) return {};
    const std::uint64_t archived = segments.empty() ? 0 : segments.rbegin()->second.to;
    if (next->front().seq > archived + 1) return missing(std::max<std::uint64_t>(archived + 1, 2));
    meta_.last_seq = next->front().seq - 1;
    moved_ = true;
    return {};
  }

  // The events and the tables must agree.
  Result<void> check(const Tables& tables) {
    const rows::Meta said{.last_seq = tables.last_seq,
                          .last_id = tables.last_id,
                          .epoch = tables.epoch,
                          .last_time = tables.last_time,
                          .unfinished = std::ssize(tables.jobs)};
    if (said == meta_) return {};
    // Events that have moved led to a part of it. load() has compared these numbers with the rows.
    const bool ends_alike = said.last_seq == meta_.last_seq && said.last_time == meta_.last_time;
    if (moved_ && ends_alike && said.last_id >= meta_.last_id && said.epoch >= meta_.epoch) {
      meta_ = said;
      return {};
    }
    return fail(ErrorCode::corrupt, "the stored events do not lead to the stored state");
  }

  Result<void> copy_jobs(StoreReader& reader) {
    for (JobFilter filter;;) {
      auto jobs = reader.jobs(filter, kPage);
      if (!jobs) return std::unexpected(jobs.error());
      if (jobs->empty()) return {};
      filter.before = jobs->back().id;
      std::vector<JobId> ids;
      for (const auto& job : *jobs) ids.push_back(job.id);
      auto attempts = reader.attempts(ids);
      if (!attempts) return std::unexpected(attempts.error());
      Commit commit;
      for (auto& job : *jobs) commit.jobs.emplace_back(std::move(job));
      for (auto& attempt : *attempts) commit.attempts.emplace_back(std::move(attempt));
      if (auto done = write(commit); !done) return done;
      if (auto done = moved_ ? write_specs(commit.jobs) : Result<void>(); !done) return done;
    }
  }

  // The submit event of a job may have moved.
  Result<void> write_specs(const std::vector<Shared<Job>>& jobs) {
    sums_.add_specs(jobs);
    return send(statements_of_specs(jobs));
  }

  Result<void> copy_rest(LoadedState state) {
    Commit commit;
    each_named(state.tables, [&]<class Row>(const NamedRows<Row>& rows) {
      for (const auto& [name, row] : rows) commit.of<Row>().set.push_back(row);
    });
    commit.idempotency = std::move(state.idempotency);
    // Records expire in this order.
    std::ranges::sort(commit.idempotency, {}, [](const auto& one) { return std::tie(one.at, one.principal, one.key); });
    commit.tokens = std::move(state.tokens);
    return write(commit);
  }

  Store& from_;
  Connection& to_;
  rows::Meta meta_;
  bool moved_ = false;  // events after the first one are in segments alone
  TableSums sums_;
};

Result<void> must_be_empty(Connection& connection) {
  const auto meta = read_meta(connection);
  if (!meta) return std::unexpected(meta.error());
  if (meta->commits == 0) return {};
  return fail(ErrorCode::conflict,
              fmt::format("{}: there is a state already ({} commits). Nothing was changed. Name an empty schema or "
                          "database",
                          connection.place(), meta->commits));
}

Result<void> compare(Connection& connection, const TableSums& read) {
  const auto stored = TableSums::stored(connection);
  if (!stored) return std::unexpected(stored.error());
  const auto difference = read.difference_to(*stored);
  if (difference.empty()) return {};
  return std::unexpected(damaged(connection.place(), "what was written is not what was read: " + difference));
}

// Whether the commit is stored.
Result<bool> commit(LeadingSession& session, Connection& connection, Transaction transaction) {
  const auto done = transaction.commit();
  if (done) return true;
  if (!connection.lost()) return std::unexpected(done.error());
  return session.is_stored(1);
}

Result<Copied> copy_as_leader(Store& from, const CopyOptions& options, LeadingSession& session) {
  auto connection = session.connection();
  if (!connection) return std::unexpected(connection.error());
  auto transaction = Transaction::begin(**connection, Access::write);
  if (!transaction) return std::unexpected(transaction.error());
  if (auto empty = must_be_empty(**connection); !empty) return std::unexpected(empty.error());
  Copy copy(from, **connection);
  const auto meta = copy.run();
  if (!meta) return std::unexpected(meta.error());
  // A state that is set back in the source is set back in the copy.
  if (from.is_set_back())
    if (auto marked = mark_set_back(**connection); !marked) return std::unexpected(marked.error());
  if (auto same = compare(**connection, copy.sums()); !same) return std::unexpected(same.error());
  const auto last = begin_commit(session.term(), {}, *meta);
  if (const auto led = (*connection)->run(last.sql, last.parameters); !led) return std::unexpected(led.error());
  if (options.before_commit)
    if (auto marked = options.before_commit(); !marked) return std::unexpected(marked.error());
  Copied copied{.rows = copy.sums().counts()};
  const auto stored = commit(session, **connection, std::move(*transaction));
  copied.in_doubt = !stored && stored.error().code == ErrorCode::unavailable && (*connection)->lost();
  if (!stored && !copied.in_doubt) return std::unexpected(stored.error());
  if (stored && !*stored) return fail(ErrorCode::unavailable, "the connection was lost, and nothing is stored");
  return copied;
}

}  // namespace

Result<Copied> copy_state(Store& from, const CopyOptions& options) {
  PostgresOptions to = options.to;
  to.initialise = true;
  // If the place belongs to another state, the mark of its home stays unchanged.
  to.take_over = false;
  auto session = open_to_lead(to);
  if (!session) return std::unexpected(session.error());
  Lease lease({.connection = connection_of(to, Access::write), .claim = session->claim(), .on_replaced = {}},
              session->term(), 0);
  auto copied = copy_as_leader(from, options, *session);
  lease.stop();
  session->give_up();
  return copied;
}

}  // namespace ym
