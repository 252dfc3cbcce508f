#include "store/sqlite/prune.h"

#include <fmt/format.h>

#include <set>

#include "store/sqlite/rows.h"

namespace ym::sqlite {
namespace {

// Pages that one step gives back: each is moved, so more would hold up commits.
constexpr int kPagesGivenBack = 500;

struct First {
  std::int64_t last = 0;  // the last event of the step; 0: there is none
  std::int64_t events = 0;
  std::set<JobId> jobs{};
};

Result<First> first_events(Database& database, std::uint64_t to, std::size_t limit) {
  auto query = database.query("SELECT seq, job FROM events WHERE seq > 1 AND seq <= ? ORDER BY seq LIMIT ?");
  if (!query) return std::unexpected(query.error());
  query->bind(1, column(to));
  query->bind(2, static_cast<std::int64_t>(limit));
  First first;
  auto read = for_each_row(*query, [&](const Query& row) -> Result<void> {
    first.last = row.integer(0);
    first.events += 1;
    if (const auto job = static_cast<std::uint64_t>(row.integer(1)); job != 0) first.jobs.insert(JobId{job});
    return {};
  });
  return read ? Result<First>(std::move(first)) : std::unexpected(read.error());
}

Result<void> run(Database& database, std::string_view sql, const auto& value) {
  auto query = database.query(sql);
  if (!query) return std::unexpected(query.error());
  query->bind(1, value);
  return query->run();
}

struct Over {
  std::vector<JobId> jobs;
  std::vector<JobId> specs;  // ids of specs, as numbers
};

// Of these jobs, those without an event that have ended.
Result<Over> over_of(Database& database, const std::set<JobId>& jobs) {
  auto query = database.query(
      fmt::format("{} WHERE id IN (SELECT value FROM json_each(?)) AND (state='SUCCEEDED' OR state='FAILED' OR "
                  "state='CANCELLED' OR state='TIMED_OUT') AND NOT EXISTS (SELECT 1 FROM events WHERE events.job = "
                  "jobs.id)",
                  kSelectJobs));
  if (!query) return std::unexpected(query.error());
  const std::vector<JobId> list(jobs.begin(), jobs.end());
  const auto text = rows::list_of(list);
  query->bind(1, std::string_view(text));
  Over over;
  auto read = for_each_row(*query, [&](const Query& row) -> Result<void> {
    over.jobs.push_back(JobId{static_cast<std::uint64_t>(row.integer(0))});
    // A document that cannot be read keeps its spec.
    const auto document = rows::open_job(row.cells());
    if (document && document->spec) over.specs.push_back(JobId{document->spec->value});
    return {};
  });
  return read ? Result<Over>(std::move(over)) : std::unexpected(read.error());
}

// The jobs of a spec have ids from its own up to the next spec's.
constexpr std::string_view kUnusedSpecs =
    "DELETE FROM specs WHERE id IN (SELECT value FROM json_each(?)) AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.id "
    ">= "
    "specs.id AND jobs.id < ifnull((SELECT min(later.id) FROM specs AS later WHERE later.id > specs.id), "
    "9223372036854775807))";

Result<void> delete_jobs(Database& database, const Over& over) {
  const auto jobs = rows::list_of(over.jobs), specs = rows::list_of(over.specs);
  auto done =
      run(database, "DELETE FROM attempts WHERE job IN (SELECT value FROM json_each(?))", std::string_view(jobs));
  if (done)
    done = run(database, "DELETE FROM jobs WHERE id IN (SELECT value FROM json_each(?))", std::string_view(jobs));
  if (done) done = run(database, kUnusedSpecs, std::string_view(specs));
  return done;
}

Result<Pruned> prune_in_transaction(Database& database, std::uint64_t to, std::size_t limit) {
  auto first = first_events(database, to, limit);
  if (!first) return std::unexpected(first.error());
  if (first->events == 0) return Pruned();
  if (auto done = run(database, "DELETE FROM events WHERE seq > 1 AND seq <= ?", first->last); !done)
    return std::unexpected(done.error());
  const auto over = over_of(database, first->jobs);
  if (!over) return std::unexpected(over.error());
  if (auto done = delete_jobs(database, *over); !done) return std::unexpected(done.error());
  return Pruned{.events = first->events,
                .jobs = std::ssize(over->jobs),
                .last = static_cast<std::uint64_t>(first->last),
                .more = std::cmp_less(first->last, to) && std::cmp_equal(first->events, limit)};
}

}  // namespace

Result<Pruned> prune(Database& database, const Meta& meta, std::uint64_t to, std::size_t limit) {
  auto transaction = Transaction::begin(database, Transaction::Kind::write);
  if (!transaction) return std::unexpected(transaction.error());
  if (auto ours = replace_meta(database, meta, meta); !ours) return std::unexpected(ours.error());
  auto pruned = prune_in_transaction(database, to, limit);
  if (!pruned) return pruned;
  if (auto done = transaction->commit(); !done) return std::unexpected(done.error());
  // What cannot be given back now is given back by a later step, or used again.
  (void)database.execute(fmt::format("PRAGMA incremental_vacuum({})", kPagesGivenBack));
  return pruned;
}

}  // namespace ym::sqlite
