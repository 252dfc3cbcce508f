// From when on a job has quota, as far as that is sure.
#pragma once

#include <optional>
#include <vector>

#include "engine/cycle/cycle.h"

namespace ym::engine {

struct QuotaLater {
  Minute from = 0;                  // 0: now
  std::vector<Inherited> inherits;  // from whom it has its quota then
};

// When jobs of its tree are gone whose end is sure, or which it may stop by then: in the order of their ends as many as
// it takes, less what other holders of reservations inherit from them. Nothing: it lacks quota beyond that, or is not
// the first of its queue that does.
std::optional<QuotaLater> quota_from(Cycle& cycle, Rank rank, const Flavors& flavors);

}  // namespace ym::engine
