// The queue of a job: the one that it names, or the default of its user or project.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/result.h"
#include "model/tables.h"

namespace ym {

// Whether jobs may be submitted to it: it is not a cohort and not being removed.
bool takes_jobs(const Tables& tables, const Queue& queue);

// Whether the user sees the queue of this name. A queue that it does not see is not there for it.
using SeesQueue = std::function<bool(const std::string& queue)>;

// The problem with the queue that a job names. Nothing: it takes jobs.
std::optional<std::string> queue_problem(const Tables& tables, const std::string& name, const SeesQueue& sees);

// A queue that takes jobs: the one that the job names; else the default of the user, else of the project, else
// "default". Errors: `invalid`, the problem with the job's `queue`, with the queues that it may name.
Result<std::string> queue_of_job(const Tables& tables, const JobSpec& spec, const std::string& user,
                                 const SeesQueue& sees);

}  // namespace ym
