// SupervisorSeed: a supervisor that waits for its task.
//
// It is forked when the wrapper begins, and is ready when user code may start: a program less to load for each task,
// and on the way of a gang that waits for the last of its tasks nothing is loaded at all.
#pragma once

#include <sys/types.h>

#include <string>

#include "base/fd.h"
#include "base/result.h"
#include "executor/local/event_loop.h"

namespace ym::remote {

class SupervisorSeed {
 public:
  // Forks. Precondition: this process has one thread, and nothing that a task must not know but in memory which cannot
  // be dumped (PR_SET_DUMPABLE). Errors: `io`.
  static Result<SupervisorSeed> plant();

  SupervisorSeed(SupervisorSeed&&) = default;
  SupervisorSeed& operator=(SupervisorSeed&&) = delete;
  // One that has no task leaves.
  ~SupervisorSeed();

  // Gives it the task's folder, and returns the connection to it as spawn_supervisor does. At most once. Loop's thread.
  Result<Fd> grow(local::EventLoop& loop, const std::string& task_folder);

 private:
  SupervisorSeed(pid_t pid, Fd link) : pid_(pid), link_(std::move(link)) {}
  pid_t pid_;
  Fd link_;  // none: it has grown
};

}  // namespace ym::remote
