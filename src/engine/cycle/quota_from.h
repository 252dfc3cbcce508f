// The time from which a job has quota, as far as that is sure.
#pragma once

#include <optional>
#include <vector>

#include "engine/cycle/cycle.h"

namespace ym::engine {

struct QuotaLater {
  Minute from = 0;                  // 0: now
  std::vector<Inherited> inherits;  // the jobs from which it has its quota then
};

// When enough jobs of the tree of the entry's job are gone, in the order of their ends: jobs with a sure end, and jobs
// that it may stop by then. What other holders of reservations inherit from them does not count. Nothing: it lacks
// quota beyond that, or another job of its queue was the first that lacked quota.
std::optional<QuotaLater> quota_from(const Inputs& in, Tried& tried, Findings& known, const PendingEntry& entry,
                                     const Flavors& flavors);

}  // namespace ym::engine
