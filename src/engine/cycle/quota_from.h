// From when on a job has quota, as far as that is sure.
#pragma once

#include <optional>

#include "engine/cycle/cycle.h"

namespace ym::engine {

// 0: now. Later: when those of its tree are gone again, or may be stopped by it, who were admitted while it
// waited, in the order of their ends as many as it takes. Who was there before it is not waited for: a job that lacks
// quota holds no reservation, but having let others pass does not cost it the one that it had. Nothing: it lacks quota
// beyond that, or is not the first of its queue that does.
std::optional<Minute> quota_from(Cycle& cycle, Rank rank, const Flavors& flavors);
// The same of one that lacks quota now, whether it is the first or not. Nothing: it lacks quota beyond that.
std::optional<Minute> quota_when_passers_go(Cycle& cycle, Rank rank, const Flavors& flavors);

}  // namespace ym::engine
