// A segment of the history without a person, as a new file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <set>

#include "archive/erasure/erased_log.h"
#include "model/history/history_segment.h"
#include "model/tables.h"

namespace ym {

// What is in a segment.
struct LookedAtSegment {
  bool changes = false;           // it names the person
  std::set<std::uint64_t> seals;  // their own events
};

// Gives its events and jobs to `log`. Errors: `io`, `corrupt`.
Result<LookedAtSegment> look_in_segment(const std::filesystem::path& file, ErasedLog& log);

// Writes the new file beside the old one, reads it back and checks it. It is on disk under its name when this returns;
// the old one stays. Precondition: `log` has seen all events of the state. Errors: `io`, `corrupt`.
Result<HistorySegment> erase_in_segment(const std::filesystem::path& folder, const HistorySegment& row,
                                        const LookedAtSegment& looked, ErasedLog& log);

// Deletes files of the same events as a row that no row has: one took their place, or would have. It deletes nothing
// unless the files of all rows are there and as they were stored. Errors: `corrupt`: one is not; `io`.
Result<void> remove_replaced_files(const std::filesystem::path& folder, const Tables& tables);

}  // namespace ym
