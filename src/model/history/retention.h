// Retention: for how long history is kept, and where.
#pragma once

#include "base/time.h"

namespace ym {

struct Retention {
  // Ended jobs and events stay in the database; older ones are in segments of the history.
  Duration jobs = hours(400 * 24);
  // Segments stay; older ones are deleted, with the records of the audit log in them.
  Duration audit = hours(7 * 365 * 24);
  bool operator==(const Retention&) const = default;
};

}  // namespace ym
