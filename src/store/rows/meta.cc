#include "store/rows/meta.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/assert.h"

namespace ym::rows {

Meta Meta::after(const std::vector<Event>& events) const {
  Meta meta = *this;
  for (const auto& event : events) {
    YM_ASSERT(event.seq == meta.last_seq + 1);
    meta.last_seq = event.seq;
    meta.last_time = event.time;
    if (const auto* started = std::get_if<ServerStarted>(&event.payload)) {
      meta.epoch = started->epoch;
      meta.last_id += started->ids_passed_over;
    }
    if (const auto* submitted = std::get_if<JobSubmitted>(&event.payload)) {
      const Job& job = submitted->job;
      meta.last_id = std::max({meta.last_id, job.id.value, job.spec_id.value, job.group ? job.group->value : 0});
      ++meta.unfinished;
    }
    if (std::holds_alternative<JobFinished>(event.payload)) --meta.unfinished;
  }
  meta.documents = json::kDocumentVersion;
  return meta;
}

std::unexpected<Error> written_by_newer(std::string_view place, std::string_view what, std::int64_t found,
                                        std::int64_t known) {
  return fail(ErrorCode::conflict,
              fmt::format("{} was written by a newer version of Yardmaster ({} {}; this one knows up to {}). "
                          "Nothing was changed. Start that version, or a later one",
                          place, what, found, known));
}

Result<void> check_documents(std::string_view place, std::int64_t version) {
  if (version <= json::kDocumentVersion) return {};
  return written_by_newer(place, "documents", version, json::kDocumentVersion);
}

}  // namespace ym::rows
