// Which jobs a caller sees, as a filter of stores; and the outline of a job that it does not see as a whole.
#pragma once

#include <optional>
#include <vector>

#include "control/access/access.h"
#include "store/store.h"

namespace ym {

// The jobs with another sight than hidden (sight_of). Nothing: all jobs.
std::optional<std::vector<JobSet>> visible_jobs(const Access& access);

// What is left of a job for a caller that sees its outline: id, owner, queue, priority, state, resources and times.
Job outline_of(const Job& job);
Attempt outline_of(const Attempt& attempt);

}  // namespace ym
