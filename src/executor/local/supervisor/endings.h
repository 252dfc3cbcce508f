// Endings: whose end is whose, among the children that a supervisor reaps. It reaps
// everything that user code leaves behind, and numbers are reused: of one number only the
// first end is the one that was waited for.
#pragma once

#include <sys/types.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "executor/local/supervisor/leader.h"

namespace ym::local {

struct Endings {
  pid_t leader = 0;
  std::optional<int> leader_status;    // as waitpid gives it
  std::vector<Listener> listeners;     // behind a shell: its foreground command, which has not ended
  std::optional<int> listener_status;  // of the last of those told that ended

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
