// Which processes get the stop signal.
//
// Only the leader: a signal to the whole group would also end helpers (for example data loaders) that the leader needs
// to save its work. But a shell does not forward signals. If the leader is a shell that waits for a command, that
// command gets the signal too, and keeps its grace even if the shell dies of the signal. In a pipeline (`python
// train.py | tee log`) the programs get the signal, but not the filters that carry their output: a program that writes
// to a dead filter dies of it.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "executor/local/attempt/process.h"

namespace ym::local {

struct Listener {
  ProcessStat process;
  bool told = true;  // false: a filter; it ends when its writers have ended
};

// The leader first; behind a shell its foreground command, and so on. Empty if /proc cannot be read now.
std::vector<Listener> listeners(pid_t leader);

// Functions that examine a process; a null function examines none.
struct ProcessChecks {
  bool (*is_shell)(pid_t) = nullptr;
  bool (*is_filter)(pid_t) = nullptr;
  std::string (*stream)(pid_t, int fd) = nullptr;  // "pipe:[123]"
};
// The same over a given table of processes.
std::vector<Listener> listeners_in(const std::vector<ProcessStat>& all, pid_t leader, const ProcessChecks& checks);

// True if the process executes a common shell, or a common filter (tee, ...).
bool is_shell(pid_t pid);
bool is_filter(pid_t pid);

}  // namespace ym::local
