// The work that a stop of a job loses and that must be repeated.
#pragma once

#include "model/tables.h"

namespace ym::reference {

// Since its last save or its start, plus the restart. A job that never saved in this attempt counts as saved at the
// median of the jobs that did. Precondition: it runs.
std::int64_t lost_by_stop(const Tables& tables, JobId preempted, ResourceKind kind, Duration restart_cost, Instant now);

}  // namespace ym::reference
