// ControlLoop: what the control thread does with what arrives, one batch after another: all of it is staged, committed
// once (group commit), and then told to the engine; and what happens when a commit fails.
//
// It has no thread and waits for nothing: whoever drives it says when (server.h on a thread; a simulation as its clock
// goes on).
//
// Threads: one calls everything, pausing() and failed_commits() aside, which any may.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "control/commands/token_commands.h"
#include "control/commit_pause.h"
#include "control/controller.h"
#include "control/engine_host/decision_log.h"
#include "control/engine_host/engine_feed.h"

namespace ym {

struct ControlOptions {
  ControllerOptions controller;
  PolicySettings settings;  // of the configuration file
  engine::Policy base{};    // what neither that nor anybody else says
  // How user code reaches the server's API, "http://127.0.0.1:8470/api", and the key of the
  // tokens by which it is known (make_job_token_key). Empty: it reports by its output and its
  // marker file only.
  std::string api_url{};
  std::string advertised_url{};  // how that of other machines does; empty: the same
  Secret job_token_key{};
  // Another server has taken the state over: this one must not act any more. Called once,
  // from the control thread. Nothing: the process ends at once.
  std::function<void(const Error&)> on_replaced;
  // Reads what is left here of the logs of a cluster that is not connected any more; from any thread. Errors: as
  // Executor::read_log. Nothing: none are left.
  std::function<Result<LogChunk>(const std::string& cluster, const LogQuery&)> left_logs{};
  // An administrator has rotated its token: the server's own file may have the old one. From the control thread.
  std::function<void(const std::string& principal, const Secret& token)> admin_rotated{};
  // What decisions are made of is told here too; outlives the server.
  DecisionLog* decision_log = nullptr;
};

// What arrives.
struct CommandItem {
  Caller caller;
  Command command;
  Reply reply;
  std::shared_ptr<const JobView> ended{};  // that it is about
};
using PlanItem = std::shared_ptr<const EngineReport>;
struct ConfigurationItem {
  DesiredState desired;
  PolicySettings settings;
  engine::Policy base;
  std::function<void()> in_force{};  // called once it is
};
// Called by the control thread with the tokens that there are; `stored` is called once.
struct TokenItem {
  std::function<Result<TokenChange>(const std::vector<TokenRecord>& present)> change;
  std::move_only_function<void(Result<TokenReply>)> stored;
};
using ControlItem = std::variant<CommandItem, Observation, PlanItem, ConfigurationItem, TokenItem>;

class ControlLoop {
 public:
  using Time = std::chrono::steady_clock::time_point;

  struct Hooks {
    std::function<Time()> steady_now;  // for pauses: never goes backwards
    // After each commit, before replies and effects.
    std::function<void(const Committed&, const Tables&)> committed;
    // What the configuration file says of how is scheduled has come into force.
    std::function<void(const PolicySettings&)> reconfigured;
  };

  // The store, executors and clock must outlive it.
  ControlLoop(Store& store, Controller::Executors executors, const Clock& clock, ControlOptions options, Hooks hooks);

  // Errors: those of Controller::open. `engine` begins with all that is in the tables, and outlives it.
  Result<void> open(const DesiredState& desired);
  void connect(EngineFeed& engine) { engine_ = &engine; }
  Result<void> start_executors(const ObservationSink& sink) { return controller_.start_executors(sink); }

  // What has arrived, or nothing, where time has come.
  void take(std::vector<ControlItem>& batch);
  // Until when there is nothing to do, unless something arrives; nothing: for ever.
  std::optional<Time> idle_until() const;
  // Before the server ends: what user code said last, and what would be stored a little later.
  void store_progress();

  const Controller& controller() const { return controller_; }
  const ControlOptions& options() const { return options_; }
  // As the file, and what is set above it, say now.
  engine::Policy policy_now() const;
  bool pausing() const { return pausing_; }
  std::int64_t failed_commits() const { return failed_commits_; }

 private:
  // What of a batch matters after its commit.
  struct Staged {
    bool plan = false;
    std::optional<ConfigurationItem> configuration;
  };

  bool has_work_kept() const;
  bool may_wait(const std::vector<ControlItem>& batch) const;
  void set_aside(std::vector<ControlItem>& batch);
  void work(std::vector<ControlItem>& batch);
  void stage(ControlItem& item, Staged& staged);
  void commit_stored(Staged& staged);
  void schedule_as_said();
  void commit_failed(const Error& error, Staged staged);
  void published(const Committed& committed, const Tables& tables);

  const Clock& clock_;
  ControlOptions options_;
  const Hooks hooks_;
  Controller controller_;
  EngineFeed* engine_ = nullptr;

  std::atomic<std::int64_t> failed_commits_ = 0;
  std::atomic<bool> pausing_ = false;

  // A plan that only says why jobs wait: it is stored with the next change, or a moment
  // later, so that it does not cost a flush of its own for each submit.
  PlanItem waiting_plan_;
  Time waiting_until_;

  // What was committed and the engine was not told yet: those who wait for a reply come first.
  EngineFeed::Events news_;
  bool policy_is_new_ = false;  // and how it is to decide

  // After a commit that failed: until when nothing is tried, what is answered meanwhile, and what has to be tried
  // again.
  CommitPause pause_;
  Error trouble_;
  std::vector<ControlItem> kept_;
  bool plan_lost_ = false;
  bool replaced_ = false;
};

}  // namespace ym
