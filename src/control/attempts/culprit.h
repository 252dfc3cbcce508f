// Who of a gang failed first and by itself. Pure rules, no state.
//
// When one member fails, the others lose it, and fail or are stopped because of it; all of this within a second. What
// tells them apart, the strongest first:
//   1. how it ended: lost, not started, at its time limit
//   2. it, or a worker that its launcher names, was killed by a signal that losing a peer does not bring about (not
//      SIGTERM, SIGPIPE, SIGABRT or the job's stop signal), or for want of memory
//   3. the times at which launchers saw a worker fail first (TaskExit::worker), where each says one
//   4. the order in which the ends were recorded; not their times, which come from clocks that may be set
// A task that ended because it was told to stop is no suspect, unless it ended first.
#pragma once

#include <functional>
#include <optional>

#include "model/job.h"

namespace ym {

struct Suspect {
  const TaskStatus* task = nullptr;
  Certainty sure = Certainty::certain;
};

// Of those who failed and are not excused. Nothing if there are none. Precondition: every task has ended.
std::optional<Suspect> first_failure(const Attempt& attempt, const JobSpec& spec,
                                     const std::function<bool(const TaskStatus&)>& excused);

// As the attempt keeps it. Nothing of a single task whose launcher names no worker, and where several were lost or
// could not start at once: then it was no member's failure.
std::optional<Culprit> culprit_of(const Attempt& attempt, const Suspect& suspect);

}  // namespace ym
