// Who hears the stop signal.
//
// Only the leader: a signal to the whole group would also end the helpers (data
// loaders, for one) that the leader needs to save its work. A shell, though, does not
// hand signals on: if the leader is one that waits for a command, that command hears
// it too, and keeps its grace even if the shell dies of the signal. Of a pipeline
// (`python train.py | tee log`) the programs hear it, and the filters that carry their
// output do not: who writes into a filter that is gone dies of it.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "executor/local/attempt/process.h"

namespace ym::local {

struct Listener {
  ProcessStat process;
  bool told = true;  // false: a filter, which ends when nobody writes to it any more
};

// The leader first, and behind a shell its foreground command, and so on. Empty if /proc
// cannot be read now.
std::vector<Listener> listeners(pid_t leader);

// How a process looks; a null function looks at none.
struct Looks {
  bool (*is_shell)(pid_t) = nullptr;
  bool (*is_filter)(pid_t) = nullptr;
  std::string (*stream)(pid_t, int fd) = nullptr;  // "pipe:[123]"
};
// The same over a table of processes.
std::vector<Listener> listeners_in(const std::vector<ProcessStat>& all, pid_t leader, const Looks& looks);

// True if the process executes one of the common shells; one of the common filters (tee, ...).
bool is_shell(pid_t pid);
bool is_filter(pid_t pid);

}  // namespace ym::local
