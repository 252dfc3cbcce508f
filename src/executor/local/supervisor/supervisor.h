// The supervisor of one task, from its claim to its exit record.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "executor/local/attempt/end_record.h"
#include "executor/local/attempt/launch_record.h"
#include "executor/local/supervisor/control_socket.h"
#include "executor/local/supervisor/daemon.h"
#include "executor/local/supervisor/endings.h"
#include "executor/local/supervisor/job_process.h"
#include "executor/local/supervisor/log_writer.h"
#include "executor/local/supervisor/progress_keeper.h"
#include "executor/local/supervisor/progress_marker.h"
#include "executor/local/supervisor/progress_scanner.h"
#include "executor/local/supervisor/stop_plan.h"
#include "executor/local/supervisor/waiter.h"

namespace ym::local {

// Time of the machine, for people and records. Durations use boot_now().
Instant wall_now();

class Supervisor {
 public:
  explicit Supervisor(Inherited inherited)
      : inherited_(std::move(inherited)), socket_(std::move(inherited_.parent_link)) {}

  // Does all the work for `task_folder`, an absolute path. Returns the exit status of the program: 0 if the exit record
  // is written or another supervisor has the task.
  int run(const std::string& task_folder);

 private:
  // --- before the launch barrier
  Result<void> open_folders(const std::string& task_folder);
  Result<bool> claim_task();
  Decision wait_at_barrier();
  std::optional<Decision> decide_at_barrier(ClaimWatch& claims, std::int64_t deadline);

  // --- user code
  Result<void> start();
  void supervise();
  void hear_of_start();
  bool limit_was_too_small() const;
  void begin_running();
  void abandon_start();
  void pump();
  void drain();
  void reap();
  void obey();
  void keep_time();
  void force();
  void sweep();
  void request_stop(WhyStopped cause, int signal, Duration grace);
  void give_notice();
  void send_signal(int signal);
  void kill_at_once();
  bool follows_listeners() const;
  std::optional<std::int64_t> next_deadline() const;

  // --- progress reports
  void keep(std::vector<std::string> reports);
  void hear_progress();
  std::vector<RawReport> last_progress();

  // --- the end
  TaskExit verdict() const;
  void finish(TaskExit exit);

  Inherited inherited_;
  ControlSocket socket_;
  Waiter waiter_;
  Fd attempt_folder_, task_folder_, lock_;
  LaunchRecord launch_;
  Claim claim_;
  TaskCgroup cgroup_;
  std::optional<LogWriter> log_;
  ProgressScanner scanner_;
  ProgressMarker marker_;
  ProgressKeeper progress_;
  StopPlan stop_;
  std::int64_t stopped_at_ = 0;                     // by boot_now: user code was first asked to stop
  StopCause first_stop_cause_ = StopCause::cancel;  // cause of the first stop

  Fd output_;                            // reading end of the task's output
  bool more_output_ = false;             // the pipe was not emptied
  std::optional<StartingJob> starting_;  // the child before user code
  Endings endings_;
  std::optional<Instant> ended_at_;                                       // of user code's main process
  std::optional<TaskExit> not_started_;                                   // why user code never ran
  std::optional<std::int64_t> start_by_, limit_at_, kill_at_, sweep_at_;  // by boot_now
  std::int64_t sweep_pause_ = 1;
  std::int64_t oom_kills_before_ = 0;  // on the whole machine
  bool forced_ = false;
  bool over_ = false;         // user code's main process has ended, or must end
  bool no_children_ = false;  // all processes of the task have ended
};

}  // namespace ym::local
