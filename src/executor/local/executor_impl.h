// LocalExecutor: the executor, on an event loop, with the attempts that it watches.
#pragma once

#include <cstdint>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "executor/local/attempt/boot_epochs.h"
#include "executor/local/attempt/cgroup.h"
#include "executor/local/attempt/launch_record.h"
#include "executor/local/attempt_run.h"
#include "executor/local/cleanup/janitor.h"
#include "executor/local/cleanup/leftovers.h"
#include "executor/local/devices/device_watch.h"
#include "executor/local/devices/lost_devices.h"
#include "executor/local/machine/checkpoint_probe.h"
#include "executor/local/machine/ports.h"
#include "executor/local/stop_list.h"
#include "executor/local/stop_order.h"

namespace ym::local {

inline constexpr const char* kStoppedBefore = "stopped before it was launched";

class LocalExecutor final : public Executor {
 public:
  LocalExecutor(LocalOptions options, const Clock& clock);
  ~LocalExecutor() override;

  void know_lost(IsLost is_lost) override { is_lost_ = std::move(is_lost); }
  Result<std::vector<LostLaunch>> lost_launches() override;
  Result<void> start(ObservationSink sink, std::span<const LiveAttempt> live) override;
  Result<std::vector<Node>> inventory() override;
  void launch(LaunchRequest request) override;
  void stop(const Token& token, StopRequest request) override;
  void deliver(const Token& token, const Secret& job_token) override;
  Result<LogChunk> read_log(const LogQuery& query) override;
  void release(const Token& token) override;
  std::map<std::string, std::string> enforcement() const override;

 private:
  Result<void> open_state();
  // Makes missing folders; called again after a folder was removed.
  Result<void> open_attempts();
  Result<void> know_state_id(int attempts_folder);
  // Before the loop starts.
  void know_live(const LiveAttempt& attempt);
  std::future<Result<void>> post_first_look(std::span<const LiveAttempt> live);

  // --- loop's thread
  struct FirstLook {
    std::set<Token> live;
    int tries = 0;
    std::promise<Result<void>> done;
  };
  void look_for_lost(const std::shared_ptr<FirstLook>& look);
  // Holds the devices of launches that live and are not in `live`. Errors: `io`.
  Result<void> hold_lost(const std::set<Token>& live);
  void prepare_launch(const LaunchRequest& request);
  void do_launch(const LaunchRequest& request, const Resume& resume);
  Result<void> mark_epoch(std::uint64_t epoch);
  std::optional<std::vector<std::uint16_t>> take_ports(const JobSpec& spec);
  void give_back(const auto& ports) {
    for (const auto port : ports) ports_.give_back(port);
  }
  Result<void> launch_fresh(const LaunchRequest& request, const Resume& resume, Fd folder);
  void do_stop(const Token& token, const StopRequest& request);
  void refuse_for_good(const Token& token, const StopRequest& request);
  void stop_hidden(const Token& token, const StopRequest& request);
  void kill_what_is_seen(const Token& token);
  void do_release(const Token& token);
  bool is_foreign(const Token& token) const;
  void mark_if_over(const AttemptKey& attempt);
  // Takes over an attempt that was launched before. `hidden`: some of it lives, but its files do not say how to reach
  // it.
  enum class Found : std::uint8_t { nothing, hidden, taken_up, refused, unreadable, over };
  Found find(const Token& token);
  Found find_foreign(const Token& token, const LaunchRecord& launch, const Fd& folder);
  Found find_without_launch(const Token& token, Fd folder, const Error& error);
  Found find_damaged(const Token& token, Fd folder, const Error& error);
  Found find_without_folder(const Token& token, const Error& error);
  Found find_after_restart(const Token& token, Fd folder);
  Found take_up(const Token& token, Fd folder, const LaunchRecord& launch);
  Found unreadable(const Token& token, const Error& error);
  Found hidden(const Token& token);
  Found refuse(const Token& token, LaunchRefused refusal);
  // The reports of start() and of its retries.
  void find_or_say_unknown(const Token& token);
  bool nothing_lives(const Token& token);
  // Only of this state directory, because another server may have the same tokens. True if the processes cannot be
  // listed.
  bool may_live(const Token& token);
  // The same without the supervisors of these tasks.
  bool others_may_live(const Token& token, const std::set<std::int32_t>& tasks);
  Result<bool> is_of_earlier_boot(const Token& token);
  const Living* living_processes();
  // At most one retry of a token is pending, with the stop that waits for it.
  void retry_later(const Token& token, std::optional<StopRequest> stop);
  void retry(const Token& token);
  void report(Observation observation);

  const LocalOptions options_;
  const Clock& clock_;
  const CgroupPlan cgroups_;
  ObservationSink sink_;
  Fd state_folder_;
  BootEpochs boot_epochs_;
  StopList stops_;
  PortPool ports_;
  EventLoop loop_;
  DeviceWatch devices_;
  IsLost is_lost_;
  LostDevices lost_;
  RunServices services_;
  std::map<Token, std::shared_ptr<AttemptRun>> runs_;
  std::set<Token> begun_;                  // user code has run, says the stored state
  std::set<Token> adopted_;                // never to be launched, whatever is left of them
  std::map<Token, std::int64_t> kill_at_;  // by boot_now; hidden attempts with a stop
  std::map<Token, std::optional<StopOrder>> retries_;
  std::optional<Living> living_;  // processes as listed at living_at_
  std::int64_t living_at_ = 0;    // by boot_now
  Janitor janitor_;
};

}  // namespace ym::local
