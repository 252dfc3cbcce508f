// Meta: what the database says about itself as a whole.
//
// Derived from the events of each commit, not from the rows, and compared with the
// tables on loading: so that a truncated table is found.
#pragma once

#include "store/store.h"

namespace ym::rows {

struct Meta {
  std::uint64_t last_seq = 0;
  std::uint64_t last_id = 0;
  std::uint64_t epoch = 0;
  Instant last_time;
  std::int64_t unfinished = 0;  // jobs that have not ended
  bool operator==(const Meta&) const = default;

  // What it is after these events. Precondition: they continue without a gap.
  Meta after(const std::vector<Event>& events) const;
};

}  // namespace ym::rows
