// The task of a gang that failed first and by itself. Pure rules, no state.
//
// When one task fails, the others lose it, and fail or are stopped because of it; all of this within a second. These
// rules tell them apart, the strongest first:
//   1. how it ended: lost, not started, at its time limit
//   2. it, or a worker that its launcher names, was killed by a signal that the loss of a peer does not cause (not
//      SIGTERM, SIGPIPE, SIGABRT or the job's stop signal), or because memory ran out
//   3. the times at which launchers saw a worker fail first (TaskExit::worker), if all of them report one
//   4. the order in which the ends were recorded; not their times, because clocks may be set
// A task that ended because of a request to stop is no suspect, unless it ended first.
#pragma once

#include <functional>
#include <optional>

#include "model/job.h"

namespace ym {

struct Suspect {
  const TaskStatus* task = nullptr;
  Certainty sure = Certainty::certain;
};

// The first failure among tasks that are not excused. Nothing: there is none. Precondition: every task has ended.
std::optional<Suspect> first_failure(const Attempt& attempt, const JobSpec& spec,
                                     const std::function<bool(const TaskStatus&)>& excused);

// The culprit for the attempt's row. Nothing: a single task, and its launcher names no worker. Nothing, too, if several
// tasks were lost or could not start at the same time: then no task caused the failure.
std::optional<Culprit> culprit_of(const Attempt& attempt, const Suspect& suspect);

}  // namespace ym
