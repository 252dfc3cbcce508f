// Endings: whose end is whose, among the children that a supervisor reaps. It reaps
// everything that user code leaves behind, and numbers are reused: of one number only the
// first end is the one that was waited for.
#pragma once

#include <sys/types.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "executor/local/attempt/process.h"

namespace ym::local {

struct Endings {
  pid_t leader = 0;
  std::optional<int> leader_status;    // as waitpid gives it
  std::vector<ProcessStat> listeners;  // behind a shell: who heard the stop signal and has not ended
  std::optional<int> listener_status;  // of the last of them that ended

  void reaped(pid_t pid, int status) {
    if (pid == leader && !leader_status) {
      leader_status = status;
      return;
    }
    if (std::erase_if(listeners, [pid](const ProcessStat& listener) { return listener.pid == pid; }) > 0)
      listener_status = status;
  }
};

}  // namespace ym::local
