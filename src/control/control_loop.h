// ControlLoop: processes the control thread's items batch by batch. It stages a batch, commits it once (group commit),
// and then tells the engine. It also handles failed commits.
//
// It has no thread and never waits. Its owner calls it: server.h on a thread, a simulation by its own clock.
//
// Threads: one thread makes all calls. Any thread may call pausing() and failed_commits().
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "control/audit/seal.h"
#include "control/commit_pause.h"
#include "control/controller.h"
#include "control/engine_host/decision_log.h"
#include "control/engine_host/engine_feed.h"

namespace ym {

struct ControlOptions {
  ControllerOptions controller;
  PolicySettings settings;  // of the configuration file
  engine::Policy base{};    // values that neither the file nor an API request sets
  // How user code reaches the server's API, "http://127.0.0.1:8470/api", and the key of its tokens
  // (make_job_token_key). If one is empty, user code reports by its output and its marker file only.
  std::string api_url{};
  std::string advertised_url{};  // the URL of the API for other machines; empty: the same
  std::string ca_file{};         // of the API's certificate, for user code on this machine (JobContact)
  Secret job_token_key{};
  // Called once, from the control thread, if another server has taken over the state: this server must not act any
  // more. If it is not set, the process ends at once.
  std::function<void(const Error&)> on_replaced;
  // Reads logs that this machine still has of a cluster that is no longer connected. Any thread may call it. Errors: as
  // Executor::read_log. Not set: there are no such logs.
  std::function<Result<LogChunk>(const std::string& cluster, const LogQuery&)> left_logs{};
  // Called from the control thread if an administrator has rotated its token: the server's own file may hold the old
  // one.
  std::function<void(const std::string& principal, const Secret& token)> admin_rotated{};
  // For how long events wait for their seal (control/audit/seal.h). Nothing: they get none.
  std::optional<Duration> seal_every{};
  // Optional. Called when a seal is stored, from a thread of its own.
  std::function<void(const SealHead&)> sealed{};
  // How old events leave, for the counters; nothing: all stay in the database. Any thread calls it.
  std::function<std::optional<ArchiveCounts>()> archive{};
  // Also gets the input of all decisions. It must outlive the server. Null: no log.
  DecisionLog* decision_log = nullptr;
};

// An item for the control thread.
struct CommandItem {
  Caller caller;
  Command command;
  Reply reply;
  std::shared_ptr<const JobView> ended{};  // the job of the command, if it has ended
};
using PlanItem = std::shared_ptr<const EngineReport>;
struct ConfigurationItem {
  DesiredState desired;
  PolicySettings settings;
  engine::Policy base;
  std::function<void()> in_force{};  // called when the configuration is in force
};
// There is something new in the AuditIntake, or a seal to store.
struct AuditItem {
  std::optional<LogSealed> seal{};
  std::uint64_t after = 0;  // the last seal's own event, as its maker knows it
};
// Deletes events that are in a segment of the history (Store::prune).
struct PruneItem {
  std::uint64_t to = 0;
  std::size_t limit = 0;
  std::move_only_function<void(Result<Pruned>)> reply;
};
using ControlItem = std::variant<CommandItem, Observation, PlanItem, ConfigurationItem, AuditItem, PruneItem>;

class ControlLoop {
 public:
  using Time = std::chrono::steady_clock::time_point;

  struct Hooks {
    std::function<Time()> steady_now;  // for pauses: never goes backwards
    // Called after each commit, before replies and effects.
    std::function<void(const Committed&, const Tables&)> committed;
    // Called when a new configuration file is in force.
    std::function<void(const PolicySettings&, AccessMode)> reconfigured;
  };

  // The store, executors and clock must outlive it.
  ControlLoop(Store& store, Controller::Executors executors, const Clock& clock, ControlOptions options, Hooks hooks);

  // Errors: those of Controller::open.
  Result<void> open(const DesiredState& desired);
  // `engine` starts from all that is in the tables, and must outlive this.
  void connect(EngineFeed& engine) { engine_ = &engine; }
  Result<void> start_executors(const ObservationSink& sink) { return controller_.start_executors(sink); }

  // Processes items. An empty batch: a time of idle_until() has come.
  void take(std::vector<ControlItem>& batch);
  // The time at which work is due if no item arrives before. Nothing: there is none.
  std::optional<Time> idle_until() const;
  // Before the server ends: stores the last progress reports, and what would be stored a little later.
  void store_progress();

  const Controller& controller() const { return controller_; }
  const ControlOptions& options() const { return options_; }
  // The settings of the file, and the settings above it.
  PolicySettings settings_now() const;
  // The policy that they give now.
  engine::Policy policy_now() const;
  bool pausing() const { return pausing_; }
  std::int64_t failed_commits() const { return failed_commits_; }

 private:
  // The parts of a batch that matter after its commit.
  struct Staged {
    bool plan = false;
    std::optional<ConfigurationItem> configuration;
  };

  bool has_postponed_work() const;
  bool may_wait(const std::vector<ControlItem>& batch) const;
  void postpone(std::vector<ControlItem>& batch);
  void work(std::vector<ControlItem>& batch);
  void stage(ControlItem& item, Staged& staged);
  void commit_stored(Staged& staged);
  void apply_policy();
  void commit_failed(const Error& error, Staged staged);
  void published(const Committed& committed, const Tables& tables);

  const Clock& clock_;
  ControlOptions options_;
  const Hooks hooks_;
  Controller controller_;
  EngineFeed* engine_ = nullptr;

  std::atomic<std::int64_t> failed_commits_ = 0;
  std::atomic<bool> pausing_ = false;

  // A plan that only changes why jobs wait. The next change or a timer stores it, so it does not cost a flush of its
  // own for each submit.
  PlanItem waiting_plan_;
  Time waiting_until_;

  // Committed events that the engine has not got yet: replies to callers come first.
  EngineFeed::Events news_;
  bool policy_is_new_ = false;  // the engine has to get a new policy too

  // After a failed commit: how long nothing is tried, the error that callers get meanwhile, and the items to try again.
  CommitPause pause_;
  Error error_;
  std::vector<ControlItem> postponed_;
  bool plan_lost_ = false;
  bool replaced_ = false;
};

}  // namespace ym
