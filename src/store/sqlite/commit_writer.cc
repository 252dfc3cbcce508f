#include "store/sqlite/commit_writer.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <ranges>

#include "model/json/codec.h"
#include "store/sqlite/row_sum.h"
#include "store/sqlite/rows.h"

namespace ym::sqlite {
namespace {

constexpr std::int64_t kEventVersion = 1;

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
  const std::string payload = json::encode(event.payload);
  return put(database,
             "INSERT INTO events(seq, time, type, v, job, attempt, actor, reason, payload, sum) "
             "VALUES(?,?,?,?,?,?,?,?,?,?)",
             "events", column(event.seq), event.time.ms, type_name(event.payload), kEventVersion,
             column(job_of(event.payload)), attempt ? std::optional<std::int64_t>(attempt->number) : std::nullopt,
             std::string_view(event.actor), std::string_view(event.reason), std::string_view(payload));
}

Result<void> put_spec(Database& database, SpecId id, const JobSpec& spec) {
  const std::string doc = json::encode(spec);
  return put(database, "INSERT INTO specs(id, doc, sum) VALUES(?,?,?) ON CONFLICT(id) DO NOTHING", "specs", column(id),
             std::string_view(doc));
}

constexpr std::string_view kPutJob =
    "INSERT INTO jobs(id, owner, queue, name, project, state, group_id, submitted_at, doc, sum) "
    "VALUES(?,?,?,?,?,?,?,?,?,?) ON CONFLICT(id) DO UPDATE SET owner=excluded.owner, queue=excluded.queue, "
    "name=excluded.name, project=excluded.project, state=excluded.state, group_id=excluded.group_id, "
    "submitted_at=excluded.submitted_at, doc=excluded.doc, sum=excluded.sum";
// If nothing changes but the document: no index has to be looked at then.
constexpr std::string_view kPutDocument =
    "UPDATE jobs SET doc=?9, sum=?10 WHERE id=?1 AND owner=?2 AND queue=?3 AND name=?4 AND project=?5 AND state=?6 "
    "AND group_id IS ?7 AND submitted_at=?8";

Result<void> put_job(Database& database, std::string_view sql, const Job& job, std::string_view doc) {
  return put(database, sql, "jobs", column(job.id), std::string_view(job.owner), std::string_view(job.queue),
             std::string_view(job.name), std::string_view(job.project), to_string(job.state), column(job.group),
             job.submitted_at.ms, doc);
}

// Precondition: `submitted` is what the commit submits, in order of id.
Result<void> put_jobs(Database& database, const std::vector<Job>& jobs, const std::vector<JobId>& submitted) {
  for (const auto& job : jobs) {
    const std::string doc = json::encode(job);
    if (!std::ranges::binary_search(submitted, job.id)) {
      if (auto done = put_job(database, kPutDocument, job, doc); !done) return done;
      if (sqlite3_changes(database.handle()) == 1) continue;
    }
    if (auto done = put_job(database, kPutJob, job, doc); !done) return done;
  }
  return {};
}

std::vector<JobId> submitted_by(const std::vector<Event>& events) {
  std::vector<JobId> ids;
  for (const auto& event : events)
    if (const auto* submitted = std::get_if<JobSubmitted>(&event.payload)) ids.push_back(submitted->job.id);
  std::ranges::sort(ids);
  return ids;
}

Result<void> put_attempt(Database& database, const Attempt& attempt) {
  const std::string doc = json::encode(attempt);
  return put(database, "INSERT OR REPLACE INTO attempts(job, number, doc, sum) VALUES(?,?,?,?)", "attempts",
             column(attempt.job), std::int64_t{attempt.number}, std::string_view(doc));
}

Result<void> put_idempotency(Database& database, const IdempotencyRecord& record) {
  const auto ids = record.jobs | std::views::transform(&JobId::value);
  const auto jobs = fmt::format("[{}]", fmt::join(ids, ","));
  return put(database, "INSERT INTO idempotency(principal, key, request_hash, jobs, at, sum) VALUES(?,?,?,?,?,?)",
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
    const std::string doc = json::encode(row);
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
  if (done) done = put_jobs(database, commit.jobs, submitted_by(commit.events));
  if (done) done = put_all(database, commit.attempts, put_attempt);
  if (done) done = put_named(database, "clusters", commit.clusters, commit.removed_clusters);
  if (done) done = put_named(database, "nodes", commit.nodes, commit.removed_nodes);
  if (done) done = put_named(database, "flavors", commit.flavors, commit.removed_flavors);
  if (done) done = put_named(database, "queues", commit.queues, commit.removed_queues);
  if (done) done = put_named(database, "reservations", commit.reservations, commit.removed_reservations);
  if (done) done = put_named(database, "policies", commit.policies, commit.removed_policies);
  if (done) done = put_named(database, "usage", commit.usage, commit.removed_usage);
  if (done) done = put_named(database, "spending", commit.spending, commit.removed_spending);
  if (done) done = put_all(database, commit.idempotency, put_idempotency);
  if (done) done = put_all(database, commit.tokens, put_token);
  return done;
}

}  // namespace ym::sqlite
