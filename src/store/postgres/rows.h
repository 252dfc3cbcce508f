// Reads rows: objects are made by store/rows, specs are fetched in groups.
//
// Every `kSelect*` names all columns of its table. Every `read_*` takes a row of it. Errors: `corrupt`. PostgreSQL's
// own checksums find a changed page, so rows have no checksums of their own.
#pragma once

#include "store/postgres/connection.h"
#include "store/postgres/errors.h"
#include "store/rows/documents.h"

namespace ym::postgres {

using rows::column;
using rows::Document;

inline constexpr std::string_view kSelectJobs =
    "SELECT id, owner, queue, name, project, state, group_id, submitted_at, doc FROM jobs ";
inline constexpr std::string_view kSelectAttempts = "SELECT job, number, doc FROM attempts ";
inline constexpr std::string_view kSelectEvents =
    "SELECT seq, time, type, v, job, attempt, actor, reason, payload FROM events ";

// Specs by id, kept in a SpecCache.
class SpecReader {
 public:
  explicit SpecReader(Connection& connection) : connection_(&connection) {}
  Result<std::shared_ptr<const JobSpec>> spec(SpecId id);
  // Fetches the specs that are not known yet, in one round trip.
  Result<void> fetch(const std::vector<SpecId>& ids);

  // Total length of the documents that were decoded.
  std::size_t decoded_bytes() const { return cache_.decoded_bytes(); }

 private:
  Connection* connection_;
  rows::SpecCache cache_;
};

// Adds the database's address to an error about a row.
template <class T>
Result<T> located(const Connection& connection, Result<T> read) {
  if (read || read.error().code != ErrorCode::corrupt) return read;
  return std::unexpected(damaged(connection.place(), read.error().message));
}

// Documents are valid as long as the answer with their rows.
Result<Document> job_document(const Connection& connection, const Row& row);
Result<Document> event_document(const Connection& connection, const Row& row);

// Fetches the specs of these documents that are not known yet.
Result<void> fetch_specs(std::span<const Document> documents, SpecReader& specs);

Result<Job> read_job(const Connection& connection, const Document& document, SpecReader& specs);
Result<Event> read_event(const Connection& connection, const Document& document, SpecReader& specs);
Result<Attempt> read_attempt(const Connection& connection, const Row& row);

}  // namespace ym::postgres
