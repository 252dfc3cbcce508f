// RemoteAttempt: what the registry knows of one attempt, and what follows from it.
//
// A state machine without threads or input/output. Each call may produce observations and changed orders; the owner
// takes them. Private to this library; see task_registry.h for the rules.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "executor/remote/task_launch.h"
#include "executor/remote/task_registry.h"

namespace ym::remote {

inline LaunchRules launch_rules(const RegistryOptions& options) {
  return {.base_env = options.base_env,
          .start_timeout = options.begin_timeout,
          .log_cap = options.log_cap,
          .in_containers = options.in_containers};
}

class RemoteAttempt {
 public:
  RemoteAttempt(const RegistryOptions& options, LaunchRequest request, Instant now);
  // An attempt that an earlier server launched.
  RemoteAttempt(const RegistryOptions& options, const LiveAttempt& live, Instant now);

  const LaunchRequest& request() const { return request_; }
  const Token& token() const { return request_.token; }
  // Whether the agent with this nonce has the task. Precondition: has_task().
  bool has_claim(std::int32_t task, std::string_view nonce) const {
    const auto& claim = tasks_[static_cast<std::size_t>(task)].claim;
    return claim && claim->nonce == nonce;
  }
  bool has_task(std::int32_t task) const { return task >= 0 && static_cast<std::size_t>(task) < tasks_.size(); }
  bool barrier_is_open() const { return was_open_; }
  bool is_released() const { return released_at_.has_value(); }
  // Known once the agent has reported the end of the task. Precondition: has_task().
  std::optional<std::int64_t> log_bytes(std::int32_t task) const {
    return tasks_[static_cast<std::size_t>(task)].log_bytes;
  }
  // Released long ago, so that no agent of it sends requests any more.
  bool may_be_forgotten(Instant now) const;

  // Precondition of all calls that name a task: has_task().
  // --- from task agents
  Result<TaskOrders> hear(std::int32_t task, TaskReport report, Instant now);
  Result<std::optional<TaskOrders>> orders(std::int32_t task, std::string_view nonce, std::uint64_t version,
                                           Instant now);

  // --- from the executor
  void launch_again(LaunchRequest request);
  void open_barrier(std::span<const TaskClaim> claims, Instant now);
  bool stop(const StopRequest& request, Instant now);
  bool close_barrier(Instant now);
  bool leave_behind(const std::string& why, Instant now);
  void deliver(const Secret& job_token, Instant now);
  void release(Instant now);

  // --- from the cluster
  void cluster_says(std::int32_t task, ClusterReport report, Instant now);
  void cluster_knows_nothing(Instant now);

  // --- as time passes
  void tick(Instant now, std::vector<KillTask>& kills);
  // The observation of this end was delivered.
  void end_was_told(std::int32_t task, Instant now);

  // What has changed since the last call.
  std::vector<Observation> take_observations() { return std::exchange(said_, {}); }
  bool take_changed() { return std::exchange(changed_, false); }

 private:
  struct Task {
    std::optional<TaskClaim> claim;
    Instant heard;           // its agent's last report; or when this server began
    bool was_heard = false;  // by this server
    bool in_sight = true;    // heard or seen, and not in doubt since
    TaskReport::State state = TaskReport::State::waiting;
    bool may_have_begun = false;  // an agent got `go`
    bool ran = false;             // the agent with the claim said so to this server
    bool running_told = false;
    std::int64_t progress_heard = 0;
    std::optional<Gone> gone;
    Instant gone_at;
    std::optional<std::string> out_of_sight;
    std::string waits_for;  // reason from the cluster, while the task has not begun there
    Instant waits_since;
    bool ended = false;
    std::optional<std::int64_t> log_bytes;
    std::optional<Instant> end_told;
    bool end_stored = false;
    Instant kill_again;
    std::uint64_t version = 0;
  };
  enum class Barrier : std::uint8_t {
    closed,
    granted,  // as stored; control is asked again, because it may have stopped the attempt since
    open,
    released,
  };
  struct Stop {
    StopRequest request;
    Instant deadline;
  };

  Task& task(std::int32_t n) { return tasks_[static_cast<std::size_t>(n)]; }
  std::int32_t number_of(const Task& task) const { return static_cast<std::int32_t>(&task - tasks_.data()); }
  void say(decltype(Observation::what) what) { said_.push_back({token(), std::move(what)}); }
  void bump(Task& task, Instant now);
  void bump_all(Instant now);

  Result<void> admit(Task& task, const TaskReport& report, Instant now);
  Result<void> admit_newcomer(const Task& task, const TaskReport& report, Instant now) const;
  Result<void> admit_unknown(const Task& task, const TaskReport& report, Instant now) const;
  void take_claim(Task& task, const TaskReport& report, Instant now);
  void learn(Task& task, TaskReport report, Instant now);
  void learn_progress(Task& task, const std::vector<RawProgress>& progress, Instant now);
  void learn_gone(const std::vector<Checkpoint>& gone);
  void tell_running(Task& task);
  void end(Task& task, TaskExit exit, Instant now);
  TaskOrders orders_of(Task& task, Instant now);
  void ask_for_barrier();
  void release_barrier(StopCause cause, Instant now);

  void settle(Task& task, Instant now);
  // Precondition: the task is gone.
  bool may_not_have_run(const Task& task) const;
  TaskExit exit_of(const Task& task, Instant now) const;
  void give_up_unknown(Instant now);
  void look_for_contact(Instant now);
  void store_ends(Instant now);
  void note_start(Task& task, const ClusterReport& report, Instant now) const;
  void tell_delay(Instant now);
  bool is_to_be_killed(const Task& task, Instant now) const;

  const RegistryOptions& options_;
  // Its token is the one to launch with, and to launch again with: a task that begins late needs a token that is valid
  // for long.
  LaunchRequest request_;
  std::optional<Secret> renewed_;  // newer token, for running tasks
  std::vector<Task> tasks_;
  Barrier barrier_ = Barrier::closed;
  bool was_open_ = false;  // under this server or an earlier one; or it is unknown
  // It is unknown for which agents the barrier was opened. An agent that says that its user code runs is believed, and
  // no other agent is let in.
  bool adopted_ = false;
  bool asked_ = false;  // for the barrier, with these claims
  bool left_behind_ = false;
  StopCause cause_ = StopCause::start_timeout;
  Instant barrier_released_at_;
  std::optional<LaunchPlan> plan_;
  std::optional<Stop> stop_;
  std::optional<Instant> first_claim_at_, released_at_;
  std::vector<Checkpoint> gone_told_;
  bool accepted_told_ = false, bad_progress_told_ = false;

  const Instant since_;    // when this server began with it
  bool restored_ = false;  // and no agent has reported yet
  bool knows_nothing_ = false, unknown_told_ = false;
  bool lost_told_ = false, contact_in_doubt_ = false;
  std::string delay_told_;
  Instant delay_told_again_;  // not before this time
  Duration delay_pause_ = seconds(20);

  std::vector<Observation> said_;
  bool changed_ = false;
};

}  // namespace ym::remote
