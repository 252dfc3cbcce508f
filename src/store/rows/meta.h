// Meta: what the database says about itself as a whole.
//
// Derived from the events of each commit, not from the rows, and compared with the
// tables on loading: so that a truncated table is found.
#pragma once

#include "model/json/document_version.h"
#include "store/store.h"

namespace ym::rows {

struct Meta {
  std::uint64_t last_seq = 0;
  std::uint64_t last_id = 0;
  std::uint64_t epoch = 0;
  Instant last_time;
  std::int64_t unfinished = 0;  // jobs that have not ended
  // The highest version of the documents that are stored. What is read never has one above ours.
  std::int64_t documents = json::kDocumentVersion;
  bool operator==(const Meta&) const = default;

  // What it is after a commit of ours of these events. Precondition: they continue without a gap.
  Meta after(const std::vector<Event>& events) const;
};

// The refusal of a state that a newer version of Yardmaster wrote. `what` has a version: "schema", "documents".
std::unexpected<Error> written_by_newer(std::string_view place, std::string_view what, std::int64_t found,
                                        std::int64_t known);
// Errors: `conflict`, as above, where this is not a version that we know.
Result<void> check_documents(std::string_view place, std::int64_t version);

}  // namespace ym::rows
