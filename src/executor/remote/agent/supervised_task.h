// SupervisedTask: user code under a supervisor, from its start to its end.
//
// This process becomes a subreaper, so that it finds and ends all processes of a supervisor that was killed. All calls
// on the loop's thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "executor/executor.h"
#include "executor/local/attempt/end_record.h"
#include "executor/local/attempt/protocol.h"
#include "executor/local/machine/event_loop.h"
#include "executor/remote/agent/user_code.h"
#include "executor/remote/agent/waiting_supervisor.h"

namespace ym::remote {

class SupervisedTask {
 public:
  struct Listener {
    std::function<void()> running;
    std::function<void(local::RawReport)> said;
    std::function<void(local::ExitRecord)> ended;  // called once, when nothing of the task lives
  };
  // `waiting` and `folder` must outlive it.
  SupervisedTask(local::EventLoop& loop, WaitingSupervisor& waiting, const TaskFolder& folder, Listener listener);
  ~SupervisedTask();
  SupervisedTask(const SupervisedTask&) = delete;
  SupervisedTask& operator=(const SupervisedTask&) = delete;

  // Errors: `io`: nothing was started.
  Result<void> start(const local::LaunchRecord& record);
  // The first cause stays; a later, shorter grace shortens it. Before user code: it does not start any more.
  void stop(const StopRequest& request);

 private:
  void on_readable();
  void on_line(const std::string& line);
  void on_closed();
  void end_leftovers();
  void end(local::ExitRecord record);

  local::EventLoop& loop_;
  WaitingSupervisor& waiting_;
  const TaskFolder& folder_;
  Listener listener_;
  Fd link_;
  local::EventLoop::WatchId watch_ = 0;
  local::LineReader reader_;
  std::optional<StopRequest> stop_;
  std::optional<local::ExitRecord> told_;
  bool greeted_ = false, ran_ = false;
  std::string failure_;
  int quiet_rounds_ = 0;
};

}  // namespace ym::remote
