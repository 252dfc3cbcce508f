#include "store/sqlite/commit_writer.h"

#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

#include "model/json/codec.h"
#include "store/sqlite/row_sum.h"
#include "store/sqlite/rows.h"

namespace ym::sqlite {
namespace {

constexpr std::int64_t kEventVersion = 1;

template <class Row>
std::string document(const Row& row) {
  return boost::json::serialize(json::encode(row));
}

// One row of `table` through `sql`, whose parameters are all columns and then the sum.
template <class... Column>
Result<void> put(Database& database, std::string_view sql, std::string_view table, const Column&... columns) {
  auto query = database.query(sql);
  if (!query) return std::unexpected(query.error());
  bind_row(*query, table, columns...);
  return query->run();
}

Result<void> put_event(Database& database, const Event& event) {
  const auto attempt = attempt_of(event.payload);
  const std::string payload = document(event.payload);
  return put(database,
             "INSERT INTO events(seq, time, type, v, job, attempt, actor, reason, payload, sum) "
             "VALUES(?,?,?,?,?,?,?,?,?,?)",
             "events", column(event.seq), event.time.ms, type_name(event.payload), kEventVersion,
             column(job_of(event.payload)), attempt ? std::optional<std::int64_t>(attempt->number) : std::nullopt,
             std::string_view(event.actor), std::string_view(event.reason), std::string_view(payload));
}

Result<void> put_spec(Database& database, SpecId id, const JobSpec& spec) {
  const std::string doc = document(spec);
  return put(database, "INSERT INTO specs(id, doc, sum) VALUES(?,?,?) ON CONFLICT(id) DO NOTHING", "specs", column(id),
             std::string_view(doc));
}

Result<void> put_job(Database& database, const Job& job) {
  const std::string doc = document(job);
  return put(database,
             "INSERT INTO jobs(id, owner, queue, name, project, state, group_id, submitted_at, doc, sum) "
             "VALUES(?,?,?,?,?,?,?,?,?,?) ON CONFLICT(id) DO UPDATE SET owner=excluded.owner, queue=excluded.queue, "
             "name=excluded.name, project=excluded.project, state=excluded.state, group_id=excluded.group_id, "
             "submitted_at=excluded.submitted_at, doc=excluded.doc, sum=excluded.sum",
             "jobs", column(job.id), std::string_view(job.owner), std::string_view(job.queue),
             std::string_view(job.name), std::string_view(job.project), to_string(job.state), column(job.group),
             job.submitted_at.ms, std::string_view(doc));
}

Result<void> put_attempt(Database& database, const Attempt& attempt) {
  const std::string doc = document(attempt);
  return put(database, "INSERT OR REPLACE INTO attempts(job, number, doc, sum) VALUES(?,?,?,?)", "attempts",
             column(attempt.job), std::int64_t{attempt.number}, std::string_view(doc));
}

Result<void> put_idempotency(Database& database, const IdempotencyRecord& record) {
  boost::json::array ids;
  for (const auto id : record.jobs) ids.emplace_back(id.value);
  const std::string jobs = boost::json::serialize(ids);
  return put(database,
             "INSERT OR REPLACE INTO idempotency(principal, key, request_hash, jobs, at, sum) VALUES(?,?,?,?,?,?)",
             "idempotency", std::string_view(record.principal), std::string_view(record.key),
             std::string_view(record.request_hash), std::string_view(jobs), record.at.ms);
}

Result<void> put_token(Database& database, const TokenRecord& record) {
  return put(database, "INSERT OR REPLACE INTO tokens(hash, principal, role, created_at, sum) VALUES(?,?,?,?,?)",
             "tokens", std::string_view(record.hash), std::string_view(record.principal), std::string_view(record.role),
             record.created_at.ms);
}

template <class Rows, class Put>
Result<void> put_all(Database& database, const Rows& rows, Put put_one) {
  for (const auto& row : rows)
    if (auto done = put_one(database, row); !done) return done;
  return {};
}

template <class Row>
Result<void> put_named(Database& database, std::string_view table, const std::vector<Row>& rows,
                       const std::vector<std::string>& removed) {
  if (rows.empty() && removed.empty()) return {};
  const auto insert = fmt::format("INSERT OR REPLACE INTO {}(name, doc, sum) VALUES(?,?,?)", table);
  for (const auto& row : rows) {
    const std::string doc = document(row);
    if (auto done = put(database, insert, table, std::string_view(row.name), std::string_view(doc)); !done) return done;
  }
  for (const auto& name : removed) {
    auto query = database.query(fmt::format("DELETE FROM {} WHERE name = ?", table));
    if (!query) return std::unexpected(query.error());
    query->bind(1, name);
    if (auto done = query->run(); !done) return done;
  }
  return {};
}

// A spec comes with the event that submits the first of its jobs.
Result<void> put_specs(Database& database, const std::vector<Event>& events) {
  SpecId last;
  for (const auto& event : events) {
    const auto* submitted = std::get_if<JobSubmitted>(&event.payload);
    if (!submitted || submitted->job.spec_id == last) continue;
    last = submitted->job.spec_id;
    if (auto done = put_spec(database, last, *submitted->job.spec); !done) return done;
  }
  return {};
}

}  // namespace

Result<void> write_commit(Database& database, const Commit& commit) {
  Result<void> done = put_all(database, commit.events, put_event);
  if (done) done = put_specs(database, commit.events);
  if (done) done = put_all(database, commit.jobs, put_job);
  if (done) done = put_all(database, commit.attempts, put_attempt);
  if (done) done = put_named(database, "clusters", commit.clusters, commit.removed_clusters);
  if (done) done = put_named(database, "nodes", commit.nodes, commit.removed_nodes);
  if (done) done = put_named(database, "flavors", commit.flavors, commit.removed_flavors);
  if (done) done = put_named(database, "queues", commit.queues, commit.removed_queues);
  if (done) done = put_all(database, commit.idempotency, put_idempotency);
  if (done) done = put_all(database, commit.tokens, put_token);
  return done;
}

}  // namespace ym::sqlite
