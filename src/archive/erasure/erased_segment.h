// A segment of the history without a person, as a new file.
#pragma once

#include <filesystem>
#include <optional>

#include "archive/erasure/erased_log.h"
#include "model/history/history_segment.h"

namespace ym {

// Writes the new file beside the old one, reads it back and checks it. It is on disk under its name when this returns;
// the old one stays. Nothing: the segment does not name the person. Errors: `io`, `corrupt`.
Result<std::optional<HistorySegment>> erase_in_segment(const std::filesystem::path& folder, const HistorySegment& row,
                                                       ErasedLog& log);

// Deletes the file that another one of these took the place of: a file of the same events that no row has. Errors:
// `io`.
Result<void> remove_replaced_files(const std::filesystem::path& folder, const std::vector<HistorySegment>& rows);

}  // namespace ym
