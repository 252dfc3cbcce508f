// WaitingSupervisor: a supervisor that waits for its task.
//
// It is forked when the agent begins, and is ready when user code may start. That saves loading a program for each
// task, and between the last claim of a gang and its start nothing is loaded.
#pragma once

#include <sys/types.h>

#include <string>

#include "base/fd.h"
#include "base/result.h"
#include "executor/local/machine/event_loop.h"

namespace ym::remote {

class WaitingSupervisor {
 public:
  // Forks. Precondition: this process has one thread, and keeps what the task must not know only in memory that cannot
  // be dumped (PR_SET_DUMPABLE). Errors: `io`.
  static Result<WaitingSupervisor> create();

  WaitingSupervisor(WaitingSupervisor&&) = default;
  WaitingSupervisor& operator=(WaitingSupervisor&&) = delete;
  // It ends if it gets no task.
  ~WaitingSupervisor();

  // Gives it the folder of the task, and returns the connection to it as spawn_supervisor() does. At most once. Loop's
  // thread.
  Result<Fd> give_task(local::EventLoop& loop, const std::string& task_folder);

 private:
  WaitingSupervisor(pid_t pid, Fd link) : pid_(pid), link_(std::move(link)) {}
  pid_t pid_;
  Fd link_;  // empty: it has a task
};

}  // namespace ym::remote
