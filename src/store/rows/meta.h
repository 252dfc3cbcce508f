// Meta: what the database stores about the state as a whole.
//
// It is computed from the events of each commit, not from the rows. load() compares it with the tables, and so finds a
// truncated table.
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
  // The highest version of the stored documents. After reading it is never above this program's version.
  std::int64_t documents = json::kDocumentVersion;
  bool operator==(const Meta&) const = default;

  // Meta after this program's commit of these events. Precondition: they continue the stored events without a gap.
  Meta after(const std::vector<Event>& events) const;
};

// The refusal of a state that a newer version of Yardmaster wrote. `what` names the thing with the version: "schema" or
// "documents".
std::unexpected<Error> written_by_newer(std::string_view place, std::string_view what, std::int64_t found,
                                        std::int64_t known);
// Errors: `conflict`, as above, if this program does not know the version.
Result<void> check_documents(std::string_view place, std::int64_t version);

}  // namespace ym::rows
