#include "store/sqlite/commit_writer.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/json/codec.h"
#include "store/sqlite/row_sum.h"
#include "store/sqlite/rows.h"

namespace ym::sqlite {
namespace {

// Writes one row of `table`. The parameters of `sql` are all columns and then the checksum.
template <std::size_t N>
Result<void> put(Database& database, std::string_view sql, std::string_view table,
                 const std::array<rows::Cell, N>& cells) {
  auto query = database.query(sql);
  if (!query) return std::unexpected(query.error());
  bind_row(*query, table, cells);
  return query->run();
}

Result<void> put_event(Database& database, const Event& event) {
  return put(database,
             "INSERT INTO events(seq, time, type, v, job, attempt, actor, reason, payload, sum) "
             "VALUES(?,?,?,?,?,?,?,?,?,?)",
             "events", rows::cells(event, json::encode(event.payload)));
}

constexpr std::string_view kPutJob =
    "INSERT INTO jobs(id, owner, queue, name, project, state, group_id, submitted_at, doc, sum) "
    "VALUES(?,?,?,?,?,?,?,?,?,?) ON CONFLICT(id) DO UPDATE SET owner=excluded.owner, queue=excluded.queue, "
    "name=excluded.name, project=excluded.project, state=excluded.state, group_id=excluded.group_id, "
    "submitted_at=excluded.submitted_at, doc=excluded.doc, sum=excluded.sum";
// For rows in which only the document changes: SQLite need not touch an index then.
constexpr std::string_view kPutDocument =
    "UPDATE jobs SET doc=?9, sum=?10 WHERE id=?1 AND owner=?2 AND queue=?3 AND name=?4 AND project=?5 AND state=?6 "
    "AND group_id IS ?7 AND submitted_at=?8";

// Precondition: `submitted` are the jobs that the commit submits, in order of id.
Result<void> put_jobs(Database& database, const std::vector<Shared<Job>>& jobs, const std::vector<JobId>& submitted) {
  for (const Job& job : jobs) {
    const std::string doc = json::encode(job);
    const auto cells = rows::cells(job, doc);
    if (!std::ranges::binary_search(submitted, job.id)) {
      if (auto done = put(database, kPutDocument, "jobs", cells); !done) return done;
      if (sqlite3_changes(database.handle()) == 1) continue;
    }
    if (auto done = put(database, kPutJob, "jobs", cells); !done) return done;
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
  return put(database, "INSERT OR REPLACE INTO attempts(job, number, doc, sum) VALUES(?,?,?,?)", "attempts",
             rows::cells(attempt, json::encode(attempt)));
}

Result<void> put_idempotency(Database& database, const IdempotencyRecord& record) {
  return put(database, "INSERT INTO idempotency(principal, key, request_hash, jobs, at, sum) VALUES(?,?,?,?,?,?)",
             "idempotency", rows::cells(record, rows::list_of(record.jobs)));
}

Result<void> put_token(Database& database, const TokenRecord& record) {
  return put(database, "INSERT OR REPLACE INTO tokens(hash, principal, role, created_at, sum) VALUES(?,?,?,?,?)",
             "tokens", rows::cells(record));
}

template <class Objects, class Put>
Result<void> put_all(Database& database, const Objects& objects, Put put_one) {
  for (const auto& object : objects)
    if (auto done = put_one(database, object); !done) return done;
  return {};
}

template <class Object>
Result<void> put_named(Database& database, std::string_view table, const std::vector<Object>& objects,
                       const std::vector<std::string>& removed) {
  if (objects.empty() && removed.empty()) return {};
  const auto insert = fmt::format("INSERT OR REPLACE INTO {}(name, doc, sum) VALUES(?,?,?)", table);
  for (const auto& object : objects) {
    if (auto done = put(database, insert, table, rows::cells(object.name, json::encode(object))); !done) return done;
  }
  for (const auto& name : removed) {
    auto query = database.query(fmt::format("DELETE FROM {} WHERE name = ?", table));
    if (!query) return std::unexpected(query.error());
    query->bind(1, name);
    if (auto done = query->run(); !done) return done;
  }
  return {};
}

Result<void> put_specs(Database& database, const std::vector<Event>& events) {
  Result<void> done;
  rows::each_spec(events, [&](SpecId id, const JobSpec& spec) {
    if (done)
      done = put(database, "INSERT INTO specs(id, doc, sum) VALUES(?,?,?) ON CONFLICT(id) DO NOTHING", "specs",
                 rows::cells(id, json::encode(spec)));
  });
  return done;
}

}  // namespace

Result<void> write_commit(Database& database, const Commit& commit) {
  Result<void> done = put_all(database, commit.events, put_event);
  if (done) done = put_specs(database, commit.events);
  if (done) done = put_jobs(database, commit.jobs, submitted_by(commit.events));
  if (done) done = put_all(database, commit.attempts, put_attempt);
  if (done)
    done = rows::each_named(commit, [&](std::string_view table, const auto& objects, const auto& removed) {
      return put_named(database, table, objects, removed);
    });
  if (done) done = put_all(database, commit.idempotency, put_idempotency);
  if (done) done = put_all(database, commit.tokens, put_token);
  return done;
}

}  // namespace ym::sqlite
