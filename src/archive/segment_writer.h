// Writes a segment of the history from a store.
#pragma once

#include <filesystem>

#include "control/audit/verification.h"
#include "model/history/history_segment.h"

namespace ym {

// The events between the ends of two seals.
struct SegmentSpan {
  VerifiedTo before, end;
  ErasedSeals erased{};  // the seals that erasures explain
};

// Writes the file, reads it back and checks it. The file is on disk under its name when this returns. `go_on`: as
// check_segment. Errors: `io`; `corrupt`: an event is missing or not as it was sealed; those of the reader.
Result<HistorySegment> write_segment(const std::filesystem::path& folder, StoreReader& reader, const SegmentSpan& span,
                                     const std::function<bool()>& go_on = {});

}  // namespace ym
