// Controller: the single-threaded core of the server.
//
// It stages all changes and commits them together. Replies, effects, and news for readers and the engine follow only
// after the commit. It has no thread and reads only the clock that it gets, so the simulator runs the same code.
//
// Threads: one thread makes all calls.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "control/attempts/lost_launches.h"
#include "control/audit/audit_intake.h"
#include "control/commands/commands.h"
#include "control/committed.h"
#include "control/site/configuration.h"
#include "control/state/backlog.h"
#include "control/state/contact_watch.h"
#include "control/state/due_list.h"
#include "control/state/job_contacts.h"
#include "control/state/progress_intake.h"
#include "control/state/staging.h"
#include "control/state/usage_sampler.h"
#include "engine/engine.h"

namespace ym {

struct ControllerOptions {
  std::string version;
  JobContacts contacts{};
  UserLimits users = user_limits_of({});
  std::optional<std::int64_t> usage_kept = kUsageKept;  // as in UsageSampler
  DenialBook* denials = nullptr;                        // for AccessMode::trial; it must outlive the controller
  AuditIntake* audit = nullptr;  // it must outlive the controller; null: only commands leave records
};

// The reply to a command if its batch could not be stored because of `error`.
Error not_stored(const Error& error);

// How long a submit that is sent again under its Idempotency-Key returns the jobs of the first one.
inline constexpr Duration kIdempotencyKept = hours(24);

class Controller {
 public:
  // By cluster name.
  using Executors = std::map<std::string, Executor*>;

  // The store, executors and clock must outlive this. `on_commit` is called after each commit, before replies and
  // effects.
  Controller(Store& store, Executors executors, const Clock& clock, ControllerOptions options,
             std::function<void(const Committed&, const Tables&)> on_commit);

  // Loads the state, takes it over under a new epoch, changes it to `desired`, and commits. Errors: those of
  // Store::load, Store::commit and check_configuration, and those of find_lost_launches if the store was set back to a
  // backup.
  Result<void> open(const DesiredState& desired);

  // Starts the executors with the live attempts of the state, so that they report on them.
  Result<void> start_executors(const ObservationSink& sink);

  // `ended`: the command's job, if it had ended when the caller looked it up. Other ended jobs are read from the store.
  void stage(const Caller& caller, const Command& command, Reply reply, const JobView* ended = nullptr);
  void stage(Observation observation);
  void stage(const engine::Plan& plan);
  // Ignores a seal that does not follow the last one. `after`: the last seal's own event, as its maker knows it.
  void stage(LogSealed seal, std::uint64_t after);
  // Errors: those of check_configuration; nothing is staged then.
  Result<void> stage_configuration(const DesiredState& desired);

  // Keeps the observation while nothing can be stored. It is staged before anything later.
  void keep(Observation observation) { backlog_.add(std::move(observation)); }

  // Does the work that is due. It stages progress reports, samples usage, predicts run times again, removes
  // reservations that are over, and renews tokens of user code. One call renews a bounded number, so more may be due at
  // once. It logs attempts that are out of contact for too long.
  void do_due();
  // When do_due has work. Nothing: none before something is staged.
  std::optional<Instant> next_due() const;
  // Stages reports and records that would be stored later, because the server stops.
  void stage_progress();

  // Tries whether the store accepts commits, with an empty one: a failure leaves nothing to read back. First reads the
  // state back if that failed after a commit. Errors: those of Store::commit and Store::load.
  Result<void> probe();

  void set_access_mode(AccessMode mode) { state_.access.set_mode(mode, options_.denials); }
  void set_usage_kept(std::int64_t kept) { usage_.set_kept(kept); }
  void set_user_limits(const UserLimits& limits) { options_.users = limits; }
  // The cost of one restart, from now on, in estimates of lost work.
  void set_restart_cost(Duration cost) { restart_cost_ = cost; }

  // Makes the staged changes durable, then lets them take effect. If that fails, every staged command gets
  // `unavailable`, the state is read back from the store, and observations are kept for the next try. If the store
  // cannot be read either, probe() reads it back before anything may be staged. Error `conflict`: another server has
  // taken over the state; make no further calls.
  Result<void> commit();
  // As Store::prune. Precondition: a stored segment of the history has these events.
  Result<Pruned> prune(std::uint64_t to, std::size_t limit);

  const Tables& tables() const { return state_.tables; }
  const engine::State& ledger() const { return state_.ledger; }

  // Whether the next commit has something to write.
  bool has_changes() const { return !staging_.empty(); }
  bool has_staged() const {
    return !staging_.empty() || !replies_.empty() || !observations_.empty() || !backlog_.empty();
  }

 private:
  struct Waiting {
    Reply reply;
    Result<CommandReply> answer;
  };

  Result<void> load();
  void import_tokens();
  void begin_epoch(std::uint64_t newest_found);
  void adopt(const LostLaunches& lost);
  CommandContext context(const Access& access, const JobView* ended);
  void stage_backlog();
  void expire_idempotency();
  void renew_tokens();
  void report_lost_jobs();
  void stage_records(std::vector<AuditRecord> records);
  Executor* executor_of(const std::string& cluster) const;
  std::vector<LiveAttempt> live_attempts(const std::string& cluster) const;
  void repeat_requests(Executor& executor, const Token& token);
  Result<void> read_back();
  void refuse_all(const Error& error);
  void run(Effect effect);

  Store& store_;
  Executors executors_;
  ControllerOptions options_;
  std::function<void(const Committed&, const Tables&)> on_commit_;
  std::unique_ptr<StoreReader> history_;
  ControlState state_;
  std::vector<TokenRecord> old_tokens_;  // that an earlier version stored
  Staging staging_;
  ProgressIntake progress_;
  DueList<AttemptKey> renewals_;  // of attempts that got a token: when to renew it
  std::vector<Waiting> replies_;
  bool stale_ = false;                      // memory differs from the store
  std::optional<std::uint64_t> sealed_to_;  // by the last seal; nothing: not known
  Instant last_expiry_;
  std::vector<Observation> observations_;  // of this batch, kept until it is durable
  Backlog backlog_;                        // of batches that could not be stored
  std::vector<ReleaseEffect> over_;        // attempts to release when the executors have started
  ContactWatch watch_;
  UsageSampler usage_;
  RunTimePredictor run_times_;
  Duration restart_cost_ = engine::Policy{}.restart_cost;
};

}  // namespace ym
