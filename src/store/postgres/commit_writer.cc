#include "store/postgres/commit_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "model/json/codec.h"
#include "store/rows/cells.h"

namespace ym::postgres {
namespace {

using Statements = std::vector<Statement>;
using enum Type;

// Rows as columns, for `unnest`.
class Columns {
 public:
  Columns(std::initializer_list<Type> types) : columns_(types.begin(), types.end()) {}

  template <std::size_t N>
  void add(const std::array<rows::Cell, N>& cells) {
    for (std::size_t i = 0; i < N; ++i) columns_[i].add_cell(cells[i]);
    any_ = true;
  }

  // Adds no statement if there are no rows.
  void send_to(Statements& statements, std::string sql) const {
    if (!any_) return;
    Statement statement{.sql = std::move(sql)};
    for (const auto& column : columns_) statement.parameters.add(column);
    statements.push_back(std::move(statement));
  }

 private:
  std::vector<Array> columns_;
  bool any_ = false;
};

// Rows of one statement. An array is limited to 1 GB, which an erasure may pass.
constexpr std::size_t kReplacedAtOnce = 1'000, kStoredAtOnce = 10'000;

template <class Item>
void each_batch(const std::vector<Item>& list, std::size_t size, auto take) {
  const std::span<const Item> all(list);
  for (std::size_t from = 0; from < all.size(); from += size)
    take(all.subspan(from, std::min(size, all.size() - from)));
}

void add_events(Statements& statements, const std::vector<Event>& events) {
  Columns columns{int8, int8, text, int8, int8, int8, bytea, bytea, bytea};
  for (const auto& event : events) columns.add(rows::cells(event, json::encode(event.payload)));
  columns.send_to(statements,
                  "INSERT INTO events(seq, time, type, v, job, attempt, actor, reason, payload) "
                  "SELECT * FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9)");
}

// Of events or of jobs.
void add_specs(Statements& statements, const auto& list) {
  Columns columns{int8, bytea};
  rows::each_spec(list, [&](SpecId id, const JobSpec& spec) { columns.add(rows::cells(id, json::encode(spec))); });
  columns.send_to(statements, "INSERT INTO specs(id, doc) SELECT * FROM unnest($1, $2) ON CONFLICT (id) DO NOTHING");
}

void add_jobs(Statements& statements, std::span<const Shared<Job>> jobs) {
  Columns columns{int8, bytea, bytea, bytea, bytea, text, int8, int8, bytea};
  for (const Job& job : jobs) columns.add(rows::cells(job, json::encode(job)));
  columns.send_to(
      statements,
      "INSERT INTO jobs(id, owner, queue, name, project, state, group_id, submitted_at, doc) "
      "SELECT * FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9) "
      "ON CONFLICT (id) DO UPDATE SET owner = excluded.owner, queue = excluded.queue, name = excluded.name, "
      "project = excluded.project, state = excluded.state, group_id = excluded.group_id, "
      "submitted_at = excluded.submitted_at, doc = excluded.doc");
}

void add_attempts(Statements& statements, std::span<const Shared<Attempt>> attempts) {
  Columns columns{int8, int8, bytea};
  for (const Attempt& attempt : attempts) columns.add(rows::cells(attempt, json::encode(attempt)));
  columns.send_to(statements,
                  "INSERT INTO attempts(job, number, doc) SELECT * FROM unnest($1, $2, $3) "
                  "ON CONFLICT (job, number) DO UPDATE SET doc = excluded.doc");
}

template <class Object>
void add_named(Statements& statements, std::string_view table, const std::vector<Object>& objects,
               const std::vector<std::string>& removed) {
  Columns columns{bytea, bytea}, names{bytea};
  for (const auto& object : objects) columns.add(rows::cells(object.name, json::encode(object)));
  for (const auto& name : removed) names.add(std::array{rows::Cell(std::string_view(name))});
  columns.send_to(statements, fmt::format("INSERT INTO {}(name, doc) SELECT * FROM unnest($1, $2) "
                                          "ON CONFLICT (name) DO UPDATE SET doc = excluded.doc",
                                          table));
  names.send_to(statements, fmt::format("DELETE FROM {} WHERE name = ANY($1)", table));
}

// In the order of the commit: the last record of a key is the valid one.
void add_idempotency(Statements& statements, const std::vector<IdempotencyRecord>& records) {
  Columns columns{bytea, bytea, bytea, bytea, int8};
  for (const auto& record : records) columns.add(rows::cells(record, rows::list_of(record.jobs)));
  columns.send_to(statements,
                  "INSERT INTO idempotency(principal, key, request_hash, jobs, at) SELECT r.p, r.k, r.h, r.j, r.a "
                  "FROM unnest($1, $2, $3, $4, $5) WITH ORDINALITY r(p, k, h, j, a, place) ORDER BY r.place");
}

void add_tokens(Statements& statements, const std::vector<TokenRecord>& records) {
  Columns columns{bytea, bytea, bytea, int8};
  for (const auto& record : records) columns.add(rows::cells(record));
  columns.send_to(statements,
                  "INSERT INTO tokens(hash, principal, role, created_at) SELECT DISTINCT ON (r.h) r.h, r.p, r.r, r.c "
                  "FROM unnest($1, $2, $3, $4) WITH ORDINALITY r(h, p, r, c, place) ORDER BY r.h, r.place DESC "
                  "ON CONFLICT (hash) DO UPDATE SET principal = excluded.principal, role = excluded.role, "
                  "created_at = excluded.created_at");
}

void replace_events(Statements& statements, std::span<const Event> events) {
  Columns columns{int8, bytea, bytea, bytea};
  for (const auto& event : events) {
    const auto payload = json::encode(event.payload);
    columns.add(std::array<rows::Cell, 4>{rows::column(event.seq), std::string_view(event.actor),
                                          std::string_view(event.reason), std::string_view(payload)});
  }
  columns.send_to(
      statements,
      "UPDATE events SET actor = r.a, reason = r.r, payload = r.p FROM unnest($1, $2, $3, $4) r(s, a, r, p) "
      "WHERE seq = r.s");
}

using ReplacedSpec = decltype(Rewrite::specs)::value_type;
void replace_specs(Statements& statements, std::span<const ReplacedSpec> specs) {
  Columns columns{int8, bytea};
  for (const auto& [id, spec] : specs) columns.add(rows::cells(id, json::encode(*spec)));
  columns.send_to(statements, "UPDATE specs SET doc = r.d FROM unnest($1, $2) r(i, d) WHERE id = r.i");
}

}  // namespace

std::vector<Statement> statements_of(const Rewrite& rewrite) {
  Statements statements;
  each_batch(rewrite.events, kReplacedAtOnce, [&](auto events) { replace_events(statements, events); });
  each_batch(rewrite.specs, kReplacedAtOnce, [&](auto specs) { replace_specs(statements, specs); });
  for (const auto* sql : {"DELETE FROM idempotency WHERE principal = $1", "DELETE FROM tokens WHERE principal = $1"}) {
    Statement statement{.sql = sql};
    statement.parameters.add(std::string_view(rewrite.principal));
    statements.push_back(std::move(statement));
  }
  return statements;
}

std::vector<Statement> statements_of(const Commit& commit) {
  Statements statements;
  add_events(statements, commit.events);
  add_specs(statements, commit.events);
  each_batch(commit.jobs, kStoredAtOnce, [&](auto jobs) { add_jobs(statements, jobs); });
  each_batch(commit.attempts, kStoredAtOnce, [&](auto attempts) { add_attempts(statements, attempts); });
  (void)rows::each_named(commit, [&](std::string_view table, const auto& objects, const auto& removed) -> Result<void> {
    add_named(statements, table, objects, removed);
    return {};
  });
  add_idempotency(statements, commit.idempotency);
  add_tokens(statements, commit.tokens);
  return statements;
}

std::vector<Statement> statements_of_specs(const std::vector<Shared<Job>>& jobs) {
  Statements statements;
  add_specs(statements, jobs);
  return statements;
}

}  // namespace ym::postgres
