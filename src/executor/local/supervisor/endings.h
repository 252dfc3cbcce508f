// Endings: which process each end belongs to, among the children that a supervisor reaps. It reaps all processes that
// user code leaves behind, and pids are reused. So only the first end of a pid is that of the process in question.
#pragma once

#include <sys/types.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "executor/local/supervisor/leader.h"

namespace ym::local {

struct Endings {
  pid_t leader = 0;
  std::optional<int> leader_status;    // as waitpid returns it
  std::vector<Listener> listeners;     // behind a shell: its foreground command, while it runs
  std::optional<int> listener_status;  // of the last one that got the signal and ended

  void reaped(pid_t pid, int status) {
    if (pid == leader && !leader_status) {
      leader_status = status;
      return;
    }
    const auto ended = std::ranges::find(listeners, pid, [](const Listener& l) { return l.process.pid; });
    if (ended == listeners.end()) return;
    if (ended->told) listener_status = status;
    listeners.erase(ended);
  }
};

}  // namespace ym::local
