// One task of an attempt as the executor sees it: its folder, and the connection to its supervisor.
//
// Only the folder counts; the connection says when to look at it again. Loop's thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "executor/executor.h"
#include "executor/local/attempt/end_record.h"
#include "executor/local/attempt/launch_barrier.h"
#include "executor/local/attempt/process.h"
#include "executor/local/attempt/protocol.h"
#include "executor/local/local_executor.h"
#include "executor/local/machine/event_loop.h"

namespace ym::local {

// Pauses before another look at a task: after its supervisor was started, and after an error of the disk.
inline constexpr Duration kSpawnPause{200};
inline constexpr Duration kIoPause = seconds(1);

// What a task needs from its attempt.
class TaskHost {
 public:
  virtual ~TaskHost() = default;
  virtual EventLoop& loop() = 0;
  virtual const LocalOptions& options() const = 0;
  virtual const Clock& clock() const = 0;
  virtual const Token& token() const = 0;
  virtual int folder() const = 0;
  virtual const std::string& state_id() const = 0;
  // The machine has rebooted since the launch: nothing of the attempt lives, and nothing starts.
  virtual bool is_of_earlier_boot() const = 0;
  // An earlier server launched it, so its files may have changed.
  virtual bool is_found() const = 0;
  // User code has run, says the stored state.
  virtual bool has_begun() const = 0;
  // Whether something of the attempt lives, by its processes and not by its files, because a job can remove or change
  // those. True if the processes cannot be listed.
  virtual bool may_live() = 0;
  // The same without the supervisors that say that they wait at the launch barrier: these have started nothing.
  virtual bool may_live_past_barrier() = 0;
  // The same for user code of one claim.
  virtual bool may_live(const std::string& nonce) = 0;
  // The supervisor of the task, by the arguments that it was started with.
  virtual std::optional<ProcessStat> supervisor_of(std::int32_t task) = 0;
  // Sends SIGKILL to all processes of the attempt that are found without its files.
  virtual void kill_what_is_seen() = 0;
  // A stop was requested: no supervisor is started any more.
  virtual bool is_stopped() const = 0;
  // Wraps `work` so that it runs only if the attempt still exists.
  virtual EventLoop::Work guarded(EventLoop::Work work) = 0;
  // The requested stop, for a supervisor that gets it now.
  virtual std::optional<StopRequest> pending_stop() const = 0;

  virtual void task_waits() = 0;
  virtual void task_runs(std::int32_t task, std::optional<Instant> since) = 0;
  virtual void task_says(std::int32_t task, const RawReport& report) = 0;
  virtual void task_ended(std::int32_t task, TaskExit exit) = 0;  // once
  virtual void contact_lost(const std::string& message) = 0;
  virtual void contact_back() = 0;
  // The launch barrier is closed for good because no supervisor could be started.
  virtual void cannot_start(const std::string& message) = 0;
};

class TaskRun {
 public:
  // `path`: the absolute path of the task's folder.
  TaskRun(TaskHost& host, std::int32_t task, std::string path);
  ~TaskRun();
  TaskRun(const TaskRun&) = delete;
  TaskRun& operator=(const TaskRun&) = delete;

  // From now on a supervisor is started if the task has no claim.
  void allow_spawn();
  // Reads the folder and acts on it. Harmless at any time.
  void look();
  // Sends a line to the supervisor, if there is a connection.
  void say(const std::string& line);
  // A stop was sent, its grace and stop_timeout are over, and the task has not ended.
  void stop_is_overdue();

  bool ended() const { return ended_; }
  // It has recorded its end, but its supervisor has not ended yet.
  bool is_leaving() const { return !ended_ && is_leaving_; }
  bool has_contact() const { return has_contact_; }
  // Its supervisor said so, on this connection.
  bool waits_at_barrier() const { return link_ && waits_ && !running_reported_; }

 private:
  void look_without_folder();
  void look_unclaimed();
  void look_claimed();
  void look_at_held();
  // The claim is of another boot. True only if nothing of the task lives.
  bool claims_earlier_boot();
  void look_after_restart();
  void spawn();
  void give_up();
  void connect();
  void attach(Fd link);
  void detach();
  void on_readable();
  void on_line(const std::string& line);
  void on_greeting();
  // For a claimed task while its supervisor has not sent its greeting.
  void check_contact();
  // Checks a connection: does the supervisor still answer?
  void watch_over_link();
  void check_link_later();
  void check_link(EventLoop::WatchId id);
  void lose_link();
  void cannot_look(const Error& error);
  // By the claim; if that was removed, by the record's own fields. Errors: as read_exit().
  Result<ExitRecord> recorded_exit();
  // Errors: `io`: the answer is unknown.
  Result<bool> take_exit();
  Result<bool> supervisor_lives();
  // Whether something of the task is left, by a list of processes that may be a moment old.
  bool may_have_left_something();
  // User code may have run. Errors: `io`.
  Result<bool> has_begun();
  void take(ExitRecord record);
  void look_at_unlocked();
  void look_at_leaving();
  void kill_supervisor();
  void report_running();
  // Each report once: the supervisor, and its exit record, repeat some.
  void hear_progress(RawReport report);
  // Reports that were not forwarded because the supervisor is dead.
  std::vector<RawReport> left_in_marker();
  // The supervisor is dead and left no exit record.
  void end_leftovers();
  void leftovers_round();
  void look_later(Duration delay);
  void end(TaskExit exit);
  void end_now(EndedBy by, std::string message);
  void end_released(StopCause cause);

  TaskHost& host_;
  const std::int32_t task_;
  const std::string path_;

  // The folder is open during a visit only: a server may have thousands of tasks.
  class Visit;
  int folder();
  Fd folder_;
  int visits_ = 0;

  std::optional<Claim> claim_;
  Fd link_;
  EventLoop::WatchId watch_ = 0;
  EventLoop::WatchId checked_ = 0;  // the connection that is being checked
  LineReader reader_;
  bool greeted_ = false;           // on this connection
  bool waits_ = false;             // on this connection the supervisor said that it waits at the launch barrier
  bool said_ended_ = false;        // the supervisor said so: the record exists, and nothing is left
  int unanswered_ = 0;             // looks at this connection since its last line
  bool has_contact_ = true;        // false after a missed contact timeout
  std::int64_t missed_since_ = 0;  // by boot_now; 0: not missed
  bool may_spawn_ = false;
  int spawns_ = 0;
  std::string failure_;  // why no supervisor could begin, or stayed
  int leaving_looks_ = 0;
  int leftovers_looks_ = 0;
  bool is_leaving_ = false;
  bool ending_leftovers_ = false;
  bool condemned_ = false;  // this server killed its supervisor
  int quiet_rounds_ = 0;
  int leftover_rounds_ = 0;
  bool running_reported_ = false;
  std::int64_t heard_progress_ = 0;  // number of the newest report
  bool ended_ = false;
};

class TaskRun::Visit {
 public:
  explicit Visit(TaskRun& run) : run_(run) { ++run_.visits_; }
  ~Visit() {
    if (--run_.visits_ == 0) run_.folder_.reset();
  }
  Visit(const Visit&) = delete;
  Visit& operator=(const Visit&) = delete;

 private:
  TaskRun& run_;
};

}  // namespace ym::local
