// Reading rows: checksum, document, and the columns that must repeat the document.
//
// Every `select_*` names all columns of its table in the schema's order, `sum` last;
// every `read_*` wants a query that stands on such a row. Errors: `corrupt`.
#pragma once

#include <boost/json/value.hpp>
#include <memory>
#include <unordered_map>

#include "store/sqlite/database.h"
#include "store/store.h"

namespace ym::sqlite {

inline constexpr std::string_view kSelectJobs =
    "SELECT id, owner, queue, name, project, state, group_id, submitted_at, doc, sum FROM jobs ";
inline constexpr std::string_view kSelectAttempts = "SELECT job, number, doc, sum FROM attempts ";
inline constexpr std::string_view kSelectEvents =
    "SELECT seq, time, type, v, job, attempt, actor, reason, payload, sum FROM events ";

// Specs by id, decoded once for jobs that share one and stand together. What it remembers
// is bounded.
class SpecReader {
 public:
  explicit SpecReader(Database& database) : database_(&database) {}
  Result<std::shared_ptr<const JobSpec>> spec(SpecId id);

  // Length of all documents that were decoded so far.
  std::size_t decoded_bytes() const { return decoded_bytes_; }

 private:
  Result<std::shared_ptr<const JobSpec>> read(SpecId id);
  Database* database_;
  std::unordered_map<SpecId, std::shared_ptr<const JobSpec>> known_;
  std::size_t known_bytes_ = 0;
  std::size_t decoded_bytes_ = 0;
};

Result<Job> read_job(const Query& row, SpecReader& specs);
Result<Attempt> read_attempt(const Query& row);
Result<Event> read_event(const Query& row, SpecReader& specs);

// A table of named objects (name, doc, sum): clusters, nodes, flavors, queues, reservations, policies, usage,
// spending.
template <class Row>
Result<Row> read_named(const Query& row, std::string_view table);

// Columns of a job or an event that are searched by.
inline std::int64_t column(std::uint64_t id) { return static_cast<std::int64_t>(id); }
template <class Tag>
std::int64_t column(StrongId<Tag> id) {
  return column(id.value);
}
template <class Tag>
std::optional<std::int64_t> column(const std::optional<StrongId<Tag>>& id) {
  return id ? std::optional(column(*id)) : std::nullopt;
}

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

// A column of JSON. Errors: `corrupt`.
Result<boost::json::value> read_document(const Query& row, int column);

}  // namespace ym::sqlite
