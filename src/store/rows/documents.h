// Rows back to objects: the document, and the columns that must repeat it.
//
// Errors of all of them: `corrupt`, what is wrong with the row; whoever knows which database
// that is adds where.
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

// Specs by id, decoded once for jobs that share one and stand together. What it remembers is bounded.
class SpecCache {
 public:
  std::shared_ptr<const JobSpec> find(SpecId id) const;  // null: it is not remembered
  // Forgets all where that is much. Before a few are added that are then wanted together.
  void make_room();
  Result<std::shared_ptr<const JobSpec>> add(SpecId id, std::string_view doc);

  // Length of all documents that were decoded so far.
  std::size_t decoded_bytes() const { return decoded_bytes_; }

 private:
  std::unordered_map<SpecId, std::shared_ptr<const JobSpec>> known_;
  std::size_t known_bytes_ = 0;
  std::size_t decoded_bytes_ = 0;
};

}  // namespace ym::rows
