// The commands on the history, as values.
#pragma once

#include <string>

#include "model/history/history_segment.h"

namespace ym {

// The events up to the segment's end are in its file, verified, and may leave the database.
struct AddHistorySegment {
  HistorySegment segment;
};
// Its file is deleted.
struct RemoveHistorySegment {
  std::string segment;  // its name
};

}  // namespace ym
