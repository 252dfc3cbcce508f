// The target: which jobs should run, chosen anew one by one from the rules alone (engine/preemption/target.h).
#pragma once

#include <vector>

#include "model/tables.h"

namespace ym::reference {

// In the order in which they are chosen. Limits and budgets are not considered.
std::vector<JobId> target_of(const Tables& tables, Duration restart_cost, Instant now);

}  // namespace ym::reference
