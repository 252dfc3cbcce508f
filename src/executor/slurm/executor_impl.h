// SlurmExecutor: combines reports of tasks (the task registry, `desk_`) and Slurm's job lists (the tracker), and sends
// the resulting requests to Slurm.
//
// Threads: a watcher, which polls Slurm; a ticker, once a second, for timeouts; a few workers, which submit and cancel.
// No lock is held during a request to Slurm or the store.
#pragma once

#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>

#include "executor/remote/lost_tokens.h"
#include "executor/remote/task_registry.h"
#include "executor/remote/work_pool.h"
#include "executor/slurm/client/client.h"
#include "executor/slurm/client/rpc_budget.h"
#include "executor/slurm/inventory.h"
#include "executor/slurm/jobs/tracker.h"
#include "executor/slurm/power_up_jobs.h"
#include "executor/slurm/slurm_executor.h"

namespace ym::slurm {

class SlurmExecutor final : public Executor {
 public:
  SlurmExecutor(SlurmOptions options, std::unique_ptr<SlurmClient> client, const Clock& clock);
  ~SlurmExecutor() override;

  void begin_epoch(std::uint64_t epoch) override;
  void know_lost(IsLost is_lost) override;
  Result<std::vector<LostLaunch>> lost_launches() override;
  Result<void> start(ObservationSink sink, std::span<const LiveAttempt> live) override;
  Result<std::vector<Node>> inventory() override;
  std::string identity() const override;
  void launch(LaunchRequest request) override;
  TaskLink* task_link() override { return &registry_; }
  void open_barrier(const Token& token, std::span<const TaskClaim> claims) override;
  void stop(const Token& token, StopRequest request) override;
  void deliver(const Token& token, const Secret& job_token) override;
  Result<LogChunk> read_log(const LogQuery& query) override;
  void provision(const Flavor& flavor) override;
  void release(const Token& token) override;
  std::map<std::string, std::string> enforcement() const override;

 private:
  // executor_impl.cc
  void pass_on(const ObservationSink& sink, Observation observation);
  void refuse(const Token& token, LaunchRefused why);
  void adopt_live(const LiveAttempt& attempt);
  Result<std::vector<Part>> plan(const LaunchRequest& request) const;
  // executor_work.cc
  // Call it after a change of the tracker, without the lock.
  void follow_up();
  void carry_out(Actions actions);
  void submit(const std::string& name);
  Result<Submission> submission_of(const std::string& name, const LaunchRequest& request, const Part& part) const;
  void cancel(std::vector<std::int64_t> ids, bool hard);
  void tick();
  void kill(const std::vector<remote::KillTask>& kills);
  void leave_if_away();
  void update_power_up_jobs(const std::vector<Node>& nodes);
  void wake(const Submission& submission);
  // executor_watch.cc
  void watch();
  bool is_due(Instant last, Duration pause, Instant now) const;
  bool look_at_facts();
  bool facts_are_due(Instant now) const;
  void look_at_jobs();
  void ask_what_is_lost(const std::vector<JobRow>& rows);
  void look_at_nodes();
  void look_at_accounts();
  void heard(int& failures, bool good, const std::string& why);
  TrackerRules rules() const;
  std::map<std::string, Ours> ours() const;
  std::vector<Node> nodes_of(const std::vector<NodeRow>& rows) const;
  void show_nodes(const std::vector<NodeRow>& rows);

  const SlurmOptions options_;
  const std::unique_ptr<SlurmClient> client_;
  const Clock& clock_;
  remote::TaskRegistry registry_;
  remote::LostTokens lost_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool over_ = false;  // under mutex_, as all members up to away_since_
  Tracker tracker_;
  PowerUpJobs power_up_jobs_;
  Facts facts_;
  std::optional<Instant> facts_at_;  // time of the last request
  bool facts_missed_ = false;        // logged
  bool wants_nodes_ = false;
  std::set<std::string> ask_accounts_;
  std::map<std::int64_t, int> kills_;  // number of kills by job id
  std::optional<Instant> away_since_;  // since when Slurm is reported as unavailable

  std::mutex told_mutex_;
  std::set<Token> unaccepted_;                           // under told_mutex_: LaunchAccepted not reported yet
  std::set<std::pair<AttemptKey, std::int32_t>> ended_;  // under told_mutex_

  // Used by the watcher only.
  RpcBudget budget_;
  Instant jobs_at_{}, nodes_at_{};
  int job_failures_ = 0, node_failures_ = 0;  // in a row
  std::optional<bool> available_;
  std::vector<Node> shown_;

  std::optional<remote::WorkPool> pool_;
  std::thread watcher_, ticker_;
};

}  // namespace ym::slurm
