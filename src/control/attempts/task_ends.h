// What the end of one task means by itself. Pure rules, no state.
#pragma once

#include "model/job.h"

namespace ym {

bool failed(const TaskExit& exit);

// It was told to make room.
bool was_told(const TaskExit& exit);

// What a task dies of that is told to stop, or whose peer was.
bool is_stop_signal(int signal, const JobSpec& spec);

// torchrun's agent ends with 1 whenever it is told to stop, also in the teardown after the work.
bool agent_was_told(const TaskExit& exit, Launcher launcher);
// Precondition of these two: `task` is one of the attempt's, and has ended.
bool agent_was_told(const Attempt& attempt, const TaskStatus& task, const JobSpec& spec);

// Whether the task ended as one does that is told to stop: with status 0, 143, 75 or that of
// a shell whose child the signal ended; by the signal or SIGTERM; killed when its grace was
// over; before its user code ran. torchrun's agent makes a 1 of it, once it was told.
bool gave_way(const TaskExit& exit, const JobSpec& spec, Launcher launcher);
bool gave_way(const Attempt& attempt, const TaskStatus& task, const JobSpec& spec);

}  // namespace ym
