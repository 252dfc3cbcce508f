// What a stop of a job loses: work that is to be done again.
#pragma once

#include "model/tables.h"

namespace ym::reference {

// Since its last save, or its start, and the restart; of a job that never saved in this attempt, as if it had when half
// of those had that did. Precondition: it runs.
std::int64_t lost_by_stop(const Tables& tables, JobId victim, ResourceKind kind, Duration restart_cost, Instant now);

}  // namespace ym::reference
