// Reads rows: checks their checksum; objects are made by store/rows.
//
// Every `kSelect*` names all columns of its table in the schema's order, `sum` last. Every `read_*` takes a query that
// is at such a row. Errors: `corrupt`.
#pragma once

#include "store/rows/documents.h"
#include "store/sqlite/database.h"

namespace ym::sqlite {

using rows::column;

inline constexpr std::string_view kSelectJobs =
    "SELECT id, owner, queue, name, project, state, group_id, submitted_at, doc, sum FROM jobs ";
inline constexpr std::string_view kSelectAttempts = "SELECT job, number, doc, sum FROM attempts ";
inline constexpr std::string_view kSelectEvents =
    "SELECT seq, time, type, v, job, attempt, actor, reason, payload, sum FROM events ";

// Specs by id, kept in a SpecCache.
class SpecReader {
 public:
  explicit SpecReader(Database& database) : database_(&database) {}
  Result<std::shared_ptr<const JobSpec>> spec(SpecId id);

  // Total length of the documents that were decoded.
  std::size_t decoded_bytes() const { return cache_.decoded_bytes(); }

 private:
  Database* database_;
  rows::SpecCache cache_;
};

// Adds the file's name to an error about a row.
template <class T>
Result<T> located(const Query& row, Result<T> read) {
  if (read || read.error().code != ErrorCode::corrupt) return read;
  return std::unexpected(damaged(row.database().file(), read.error().message));
}

Result<Job> read_job(const Query& row, SpecReader& specs);
Result<Attempt> read_attempt(const Query& row);
Result<Event> read_event(const Query& row, SpecReader& specs);
Result<IdempotencyRecord> read_idempotency(const Query& row);
Result<TokenRecord> read_token(const Query& row);

// Puts a row of a table of named rows (name, doc, sum) into `tables`.
Result<void> read_named(const Query& row, std::string_view table, Tables& tables);

// Calls `take` for every row.
template <class Take>
Result<void> for_each_row(Query& query, Take take) {
  while (true) {
    const auto row = query.step();
    if (!row) return std::unexpected(row.error());
    if (!*row) return {};
    if (Result<void> taken = take(query); !taken) return taken;
  }
}

}  // namespace ym::sqlite
