// Checks a segment of the history by itself: without the database.
#pragma once

#include <filesystem>
#include <functional>

#include "base/result.h"
#include "control/audit/seal.h"

namespace ym {

struct CheckedSegment {
  std::uint64_t from = 0, to = 0;
  SealHead before, end;         // the chain at its begin and at its end
  std::vector<SealHead> heads;  // of all its seals
  std::int64_t events = 0, jobs = 0;
  std::size_t erased = 0;  // seals that have their list from an erasure, as the first line says
  // These, and changed seals among the events. Only the event of an erasure proves that one explains them.
  std::vector<ErasedSeal> explained;
  std::vector<Erasure> erasures;  // of the events erasure.set in it
  Instant first_at, last_at;
};

// `go_on`: asked again and again; false ends it with `unavailable`. Errors: `io`, `not_found`; `corrupt`: the file is
// damaged, an event is missing, or one is not as it was sealed.
Result<CheckedSegment> check_segment(const std::filesystem::path& path, const std::function<bool()>& go_on = {});

}  // namespace ym
