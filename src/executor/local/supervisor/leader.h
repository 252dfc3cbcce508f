// Who hears the stop signal.
//
// Only the leader: a signal to the whole group would also end the helpers (data
// loaders, for one) that the leader needs to save its work. A shell, though, does not
// hand signals on: if the leader is one that waits for a command, that command hears
// it too, and keeps its grace even if the shell dies of the signal.
#pragma once

#include <sys/types.h>

#include <optional>
#include <vector>

#include "executor/local/attempt/process.h"

namespace ym::local {

// The leader, and behind a shell the youngest child, and so on; the leader is first. Empty
// if /proc cannot be read now.
std::vector<ProcessStat> listeners(pid_t leader);

// The same over a table of processes; `is_shell` tells what a process executes.
std::vector<ProcessStat> listeners_in(const std::vector<ProcessStat>& all, pid_t leader, bool (*is_shell)(pid_t));

// True if the process executes one of the common shells.
bool is_shell(pid_t pid);

}  // namespace ym::local
