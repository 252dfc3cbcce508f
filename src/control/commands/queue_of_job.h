// In which queue a job waits: the one that it names, or the default of whose it is.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "model/tables.h"

namespace ym {

// Whether jobs may be submitted to it: it is no cohort, and is not being removed.
bool takes_jobs(const Tables& tables, const Queue& queue);

// What is wrong with the queue that a job names. Nothing: it takes jobs.
std::optional<std::string> queue_problem(const Tables& tables, const std::string& name);

// Of the queues that take jobs. Of a job that names none: the one that is the default of the user; else of the project;
// else the one that is called "default". Errors: `invalid`, what is wrong with the job's `queue`, with those that it
// may name.
Result<std::string> queue_of_job(const Tables& tables, const JobSpec& spec, const std::string& user);

}  // namespace ym
