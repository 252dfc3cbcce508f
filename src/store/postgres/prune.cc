#include "store/postgres/prune.h"

#include <algorithm>

#include "store/postgres/rows.h"

namespace ym::postgres {
namespace {

// The first events are deleted, as far as their sizes allow (a job mostly goes with the event that ends it, and then
// its specification may go), and their jobs are what $1 and $2 give: a job without an event that has ended.
constexpr std::string_view kEvents =
    "WITH oldest AS (SELECT seq, octet_length(payload) + CASE WHEN type = 'job.finished' THEN coalesce((SELECT "
    "octet_length(doc) FROM specs WHERE id <= events.job ORDER BY id DESC LIMIT 1), 0) ELSE 0 END AS size FROM events "
    "WHERE seq > $3 AND seq <= $1 ORDER BY seq LIMIT $2), "
    "counted AS (SELECT seq, sum(size) OVER (ORDER BY seq) AS bytes, row_number() OVER (ORDER BY seq) AS place FROM "
    "oldest), "
    "gone AS (DELETE FROM events WHERE seq IN (SELECT seq FROM counted WHERE bytes <= $4 OR place = 1) "
    "RETURNING seq, job) SELECT count(*), coalesce(max(seq), 0), coalesce(array_agg(DISTINCT job) FILTER (WHERE job IS "
    "NOT NULL), '{}')::text FROM gone";
constexpr std::string_view kJobs =
    "DELETE FROM jobs WHERE id = ANY($1::text::bigint[]) AND state IN ('SUCCEEDED', 'FAILED', 'CANCELLED', "
    "'TIMED_OUT') "
    "AND NOT EXISTS (SELECT 1 FROM events WHERE events.job = jobs.id) RETURNING id";
constexpr std::string_view kAttempts = "DELETE FROM attempts WHERE job = ANY($1)";
// The jobs of a spec have ids from its own up to the next spec's. Of each job the spec is the last one up to it.
constexpr std::string_view kUnusedSpecs =
    "DELETE FROM specs WHERE id IN (SELECT (SELECT max(s.id) FROM specs s WHERE s.id <= job) FROM unnest($1) job) AND "
    "NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.id >= specs.id AND jobs.id < coalesce((SELECT min(later.id) FROM specs "
    "later WHERE later.id > specs.id), 9223372036854775807))";

}  // namespace

Result<Pruned> prune(Connection& connection, std::int64_t term, std::uint64_t after, std::uint64_t to,
                     std::size_t limit) {
  auto transaction = Transaction::begin(connection, Access::write);
  if (!transaction) return std::unexpected(transaction.error());
  Parameters mine, range;
  if (const auto leads = connection.run("SELECT must_lead($1)", mine.add(term)); !leads)
    return std::unexpected(leads.error());
  const auto events = connection.run(kEvents, range.add(column(to))
                                                  .add(static_cast<std::int64_t>(limit))
                                                  .add(column(std::max<std::uint64_t>(after, 1)))
                                                  .add(Store::kMostPrunedBytes));
  if (!events) return std::unexpected(events.error());
  const auto count = (*events)[0].integer(0), last = (*events)[0].integer(1);
  Parameters touched;
  touched.add_text(std::string((*events)[0].bytes(2)));
  const auto over = connection.run(kJobs, touched);
  if (!over) return std::unexpected(over.error());
  Array ids(Type::int8);
  for (int i = 0; i < over->size(); ++i) ids.add((*over)[i].integer(0));
  for (const auto sql : {kAttempts, kUnusedSpecs}) {
    Parameters jobs;
    if (const auto done = connection.run(sql, jobs.add(ids)); !done) return std::unexpected(done.error());
  }
  if (auto done = transaction->commit(); !done) return std::unexpected(done.error());
  return Pruned{.events = count,
                .jobs = over->size(),
                .last = static_cast<std::uint64_t>(last),
                .more = count > 0 && std::cmp_less(last, to)};
}

}  // namespace ym::postgres
