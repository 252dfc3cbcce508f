// TaskAgent: the agent of one task, from the claim to the exit status.
//
// It claims the task at the server, waits for `go`, runs user code under a supervisor, and reports the result. A server
// that does not answer changes nothing for running user code.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "executor/local/machine/event_loop.h"
#include "executor/remote/agent/log_copier.h"
#include "executor/remote/agent/retained_reports.h"
#include "executor/remote/agent/server_link.h"
#include "executor/remote/agent/supervised_task.h"
#include "executor/remote/agent/task_config.h"
#include "executor/remote/agent/user_code.h"
#include "executor/remote/agent/waiting_supervisor.h"
#include "executor/remote/wire.h"

namespace ym::remote {

class TaskAgent {
 public:
  // `out` gets the output of user code. Precondition: SIGTERM, SIGINT and SIGHUP are blocked in every thread, and
  // SIGPIPE is ignored.
  TaskAgent(TaskConfig config, WaitingSupervisor waiting, std::unique_ptr<net::HttpClient> client, int out);
  ~TaskAgent();

  // Blocks until everything is over. Returns the exit status of the program.
  int run();

 private:
  enum class Phase : std::uint8_t {
    waiting,    // at the launch barrier
    preparing,  // has `go`; looks for a checkpoint
    supervised,
    ended,
    left,
  };

  void begin();
  void report();
  TaskReport report_now() const;
  // --- from the server
  void on_orders(const TaskOrders& orders);
  void on_refusal(Refusal refusal);
  void keep_job_token(const std::string& token);
  void on_stop(const StopRequest& request);
  // --- from the cluster
  void on_signal();
  // --- user code
  void prepare(TaskLaunch launch);
  void start(std::optional<Checkpoint> from);
  void on_said(local::RawReport raw);
  void on_end(local::ExitRecord record);
  void close_output();
  TaskExit of_the_cluster(TaskExit exit) const;
  void end(TaskExit exit);
  void not_started(std::string message, bool permanent = false);
  void leave_within(Duration time);
  void leave(int status);

  const TaskConfig config_;
  WaitingSupervisor waiting_;
  const std::unique_ptr<net::HttpClient> client_;
  const int out_;
  int status_ = 0;
  local::EventLoop loop_;
  Fd signals_;
  std::unique_ptr<ServerLink> link_;

  // All used on the loop's thread.
  Phase phase_ = Phase::waiting;
  TaskClaim claim_;
  TaskLaunch launch_;
  std::optional<TaskFolder> folder_;
  std::unique_ptr<SupervisedTask> task_;
  std::unique_ptr<LogCopier> copier_;
  RetainedReports progress_;
  std::int64_t heard_ = 0;  // progress reports that the server has, up to this number
  std::vector<Checkpoint> gone_;
  std::string job_token_;
  std::optional<std::int64_t> stop_by_;  // by boot_now: the deadline that user code got
  bool stopped_by_server_ = false, stopped_by_cluster_ = false;
  bool running_ = false, released_ = false, abandoned_ = false;
  std::optional<TaskExit> exit_;
  std::int64_t log_bytes_ = 0, log_dropped_ = 0;
};

}  // namespace ym::remote
