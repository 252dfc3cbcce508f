// Whose turn it is in a queue from which nobody is stopped again, as numbers: by submission, by run time, by deadline.
#pragma once

#include <span>
#include <vector>

#include "papers/queueing/deadlines.h"
#include "papers/queueing/running_jobs.h"

namespace ym::sim::queueing {

// The least key goes first, of equal ones the smaller number. A job has several turns where its key changes while it
// waits: each holds until an instant, that included.
struct Turn {
  Micros key = 0;
  Micros until_us = kNever;
};
using Turns = std::vector<std::vector<Turn>>;  // by job; rising in time, the last until kNever

// First in, first out: jobs are numbered by submission.
Turns by_submission(std::span<const Job> jobs);
// Shortest run time first, as one who knows all of them has it.
Turns by_run_time(std::span<const Job> jobs);

// Earliest deadline first, those without one behind all others. Of a job that loses its value in steps, the first.
Turns by_deadline(std::span<const Job> jobs, std::span<const Deadlines> deadlines);
// The same with admission: by the next step that can still be made, and behind all others when there is none.
Turns by_reachable_deadline(std::span<const Job> jobs, std::span<const Deadlines> deadlines);
// Least laxity first: by the last instant at which it may begin to make that step; else as before.
Turns by_last_start(std::span<const Job> jobs, std::span<const Deadlines> deadlines);

}  // namespace ym::sim::queueing
