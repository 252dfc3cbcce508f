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

// With their sizes. A job mostly goes with the event that ends it, and then its specification may go.
constexpr std::string_view kFirstEvents =
    "SELECT seq, job, ifnull(length(CAST(payload AS BLOB)), 0) + CASE WHEN type = 'job.finished' THEN ifnull((SELECT "
    "length(CAST(doc AS BLOB)) FROM specs WHERE id <= events.job ORDER BY id DESC LIMIT 1), 0) ELSE 0 END FROM events "
    "WHERE seq > 1 AND seq <= ? ORDER BY seq LIMIT ?";
static_assert(JobFinished::kType == "job.finished");

Result<First> first_events(Database& database, std::uint64_t to, std::size_t limit) {
  auto query = database.query(kFirstEvents);
  if (!query) return std::unexpected(query.error());
  query->bind(1, column(to));
  query->bind(2, static_cast<std::int64_t>(limit));
  First first;
  for (std::int64_t bytes = 0;;) {
    const auto row = query->step();
    if (!row) return std::unexpected(row.error());
    if (!*row) return first;
    bytes += query->integer(2);
    if (first.events > 0 && bytes > Store::kMostPrunedBytes) return first;
    first.last = query->integer(0);
    first.events += 1;
    if (const auto job = static_cast<std::uint64_t>(query->integer(1)); job != 0) first.jobs.insert(JobId{job});
  }
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
                .more = std::cmp_less(first->last, to)};
}

// Whether there is more to give back, and it can be: not in a database that an older version made.
bool give_pages_back(Database& database) {
  const auto free_pages = [&] { return database.integer("PRAGMA freelist_count").value_or(0); };
  const auto before = free_pages();
  if (before == 0) return false;
  // What cannot be given back now is given back by a later step, or used again.
  (void)database.execute(fmt::format("PRAGMA incremental_vacuum({})", kPagesGivenBack));
  const auto after = free_pages();
  return 0 < after && after < before;
}

}  // namespace

Result<Pruned> prune(Database& database, const Meta& meta, std::uint64_t to, std::size_t limit) {
  auto transaction = Transaction::begin(database, Transaction::Kind::write);
  if (!transaction) return std::unexpected(transaction.error());
  if (auto ours = replace_meta(database, meta, meta); !ours) return std::unexpected(ours.error());
  auto pruned = prune_in_transaction(database, to, limit);
  if (!pruned) return pruned;
  if (auto done = transaction->commit(); !done) return std::unexpected(done.error());
  const bool more_pages = give_pages_back(database);
  pruned->more = pruned->more || more_pages;
  return pruned;
}

}  // namespace ym::sqlite
