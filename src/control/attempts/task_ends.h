// What the end of one task means on its own. Pure rules, no state.
#pragma once

#include "model/job.h"

namespace ym {

bool failed(const TaskExit& exit);

// Whether the task was asked to stop for a preemption.
bool was_asked_to_stop(const TaskExit& exit);

// Whether the signal is one that ends a task after a request to stop, or after its peer got one.
bool is_stop_signal(int signal, const JobSpec& spec);

// Whether this is a torchrun agent that was asked to stop: it then ends with 1, also in the teardown after the work.
bool agent_was_asked_to_stop(const TaskExit& exit, Launcher launcher);
// Precondition of these two: `task` is one of the attempt's, and has ended.
bool agent_was_asked_to_stop(const Attempt& attempt, const TaskStatus& task, const JobSpec& spec);

// Whether the task ended in one of the ways in which tasks end after a request to stop:
// - with status 0, 75 or 143, or with a shell's status for a child that the signal ended;
// - by the job's stop signal or SIGTERM, or killed when its grace was over;
// - before its user code ran.
// A torchrun agent ends with 1 in these cases.
bool ended_as_asked(const TaskExit& exit, const JobSpec& spec, Launcher launcher);
bool ended_as_asked(const Attempt& attempt, const TaskStatus& task, const JobSpec& spec);

}  // namespace ym
