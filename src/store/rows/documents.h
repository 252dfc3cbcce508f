// Makes objects of rows: of the document, and of the columns that must repeat it.
//
// Errors of all functions: `corrupt`, with what is wrong in the row. The caller adds the database's name.
#pragma once

#include <boost/json/value.hpp>
#include <memory>
#include <unordered_map>

#include "store/rows/cells.h"

namespace ym::rows {

Result<boost::json::value> parse_document(std::string_view text);

// A row of jobs or events, its document, and the spec that the document refers to.
struct Document {
  Cells row;
  boost::json::value value;
  std::optional<SpecId> spec{};
};
Result<Document> open_job(const Cells& row);
Result<Document> open_event(const Cells& row);

// `spec`: the one that the document refers to; null if it refers to none.
Result<Job> read_job(const Document& document, std::shared_ptr<const JobSpec> spec);
Result<Event> read_event(const Document& document, std::shared_ptr<const JobSpec> spec);
Result<Attempt> read_attempt(const Cells& row);
Result<IdempotencyRecord> read_idempotency(const Cells& row);
TokenRecord read_token(const Cells& row);

// Puts a row of a table of named rows (name, doc) into `tables`.
Result<void> read_named(const Cells& row, std::string_view table, Tables& tables);

// Specs by id. Jobs that share a spec and follow each other decode it once. The cache is bounded.
class SpecCache {
 public:
  std::shared_ptr<const JobSpec> find(SpecId id) const;  // null: not in the cache
  // Empties the cache if it is large. Call it before you add specs that are needed together.
  void make_room();
  Result<std::shared_ptr<const JobSpec>> add(SpecId id, std::string_view doc);

  // Total length of the documents that were decoded.
  std::size_t decoded_bytes() const { return decoded_bytes_; }

 private:
  std::unordered_map<SpecId, std::shared_ptr<const JobSpec>> known_;
  std::size_t known_bytes_ = 0;
  std::size_t decoded_bytes_ = 0;
};

}  // namespace ym::rows
