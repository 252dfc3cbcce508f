// One attempt as the executor sees it: its tasks, and what has been reported. Loop's thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "executor/local/attempt/launch_record.h"
#include "executor/local/devices/device_watch.h"
#include "executor/local/stop_order.h"
#include "executor/local/task_run.h"

namespace ym::local {

struct RunServices {
  EventLoop& loop;
  const LocalOptions& options;
  const Clock& clock;
  std::function<void(Observation)> report;
  std::function<bool(const Token&)> is_stopped;
  std::function<bool(const Token&)> may_live;
  std::function<bool(const Token&, const std::set<std::int32_t>&)> others_may_live;  // than supervisors of these tasks
  std::function<bool(const std::string&)> nonce_may_live;
  std::function<std::optional<ProcessStat>(const AttemptKey&, std::int32_t)> supervisor_of;
  std::function<void(const Token&)> kill;  // kills the processes that it finds without the files
  DeviceWatch& devices;
  std::string state_id;
};

class AttemptRun final : public TaskHost, public std::enable_shared_from_this<AttemptRun> {
 public:
  // `folder` is that of the attempt; it contains the folders of the tasks.
  AttemptRun(RunServices& services, Token token, Fd folder);

  // Opens the folders of the tasks of the launch.
  Result<void> open(const LaunchRecord& launch);

  // User code has run, even if the files do not say so.
  void know_begun() { has_begun_ = true; }

  // Of an attempt that was found after the state was set back: tasks without a supervisor never start.
  void keep_barrier_closed() { barrier_stays_closed_ = true; }

  enum class Origin : std::uint8_t { fresh, found, earlier_boot };
  // Reports that the launch is accepted and which checkpoints do not exist. Starts the supervisors of a fresh attempt
  // at once, and missing ones of a found attempt after a while. An attempt of an earlier boot only ends.
  void begin(Origin origin);
  void stop(StopRequest request);
  // Replaces the token file that user code reads.
  void deliver(const Secret& job_token);

  bool ended() const { return left_ == 0; }
  std::vector<std::int64_t> ports;  // as launched; reserved while the attempt lives

 private:
  // --- TaskHost
  EventLoop& loop() override { return services_.loop; }
  const LocalOptions& options() const override { return services_.options; }
  const Clock& clock() const override { return services_.clock; }
  const Token& token() const override { return token_; }
  int folder() const override { return folder_.get(); }
  const std::string& state_id() const override { return services_.state_id; }
  bool is_stopped() const override { return services_.is_stopped(token_); }
  bool has_begun() const override { return has_begun_; }
  bool is_found() const override { return origin_ == Origin::found; }
  bool may_live() override { return services_.may_live(token_); }
  bool may_live_past_barrier() override;
  bool may_live(const std::string& nonce) override { return services_.nonce_may_live(nonce); }
  void kill_what_is_seen() override { services_.kill(token_); }
  std::optional<ProcessStat> supervisor_of(std::int32_t task) override {
    return services_.supervisor_of(token_.key(), task);
  }
  bool is_of_earlier_boot() const override { return origin_ == Origin::earlier_boot; }
  EventLoop::Work guarded(EventLoop::Work work) override;
  std::optional<StopRequest> pending_stop() const override;
  void task_waits() override;
  void task_runs(std::int32_t task, std::optional<Instant> since) override;
  void task_says(std::int32_t task, const RawReport& report) override;
  void task_ended(std::int32_t task, TaskExit exit) override;
  void contact_lost(const std::string& message) override;
  void contact_back() override;
  void cannot_start(const std::string& message) override;

  // --- its own
  void report(decltype(Observation::what) what);
  void settled(std::int32_t task, TaskExit exit);
  void tell_ends();
  void each_task(const std::function<void(TaskRun&)>& act);
  void find_ends();
  void spawn_missing();
  void close_barrier_in_time();
  void close_barrier();
  void repeat_stop();
  void repeat_stop_later(std::int64_t at);

  RunServices& services_;
  const Token token_;
  const Fd folder_;
  Origin origin_ = Origin::found;
  std::vector<std::unique_ptr<TaskRun>> tasks_;
  std::vector<Checkpoint> gone_;                   // checkpoints that do not exist
  std::vector<std::vector<std::string>> devices_;  // one list for each task
  std::size_t left_ = 0;
  std::vector<TaskHasEnded> ends_;  // not reported yet
  std::size_t settling_ = 0;        // ended tasks that wait for a check of their devices
  bool finding_ = false;            // find_ends() is running
  bool has_begun_ = false;          // known without its files
  bool barrier_stays_closed_ = false;
  std::optional<StopOrder> stop_;
  std::int64_t repeat_stop_at_ = 0;  // of boot_now; 0: no stop
  bool refused_ = false;             // the last report of this attempt
  bool preparing_reported_ = false;
  bool contact_lost_ = false;
  bool warned_of_report_ = false;
};

}  // namespace ym::local
