// Controller: the single-threaded core of the server.
//
// Everything that wants to change the state is staged, then committed together; what
// follows from it (replies, effects, news for readers and the engine) happens only
// after the commit. It owns no thread and reads no clock but the one it is given, so
// that the simulator runs this very code.
//
// Threads: one thread calls everything here.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "control/attempts/lost_launches.h"
#include "control/commands/commands.h"
#include "control/committed.h"
#include "control/site/configuration.h"
#include "control/state/backlog.h"
#include "control/state/contact_watch.h"
#include "control/state/due_list.h"
#include "control/state/job_contacts.h"
#include "control/state/progress_desk.h"
#include "control/state/staging.h"
#include "control/state/usage_sampler.h"
#include "engine/engine.h"

namespace ym {

struct ControllerOptions {
  std::string version;
  JobContacts contacts{};
  std::size_t live_jobs_per_owner = kLiveJobsPerOwner;
  std::size_t spec_bytes_per_owner = kSpecBytesPerOwner;
  std::optional<std::int64_t> usage_kept = kUsageKept;  // as UsageSampler has it
};

// What a command is answered whose batch could not be stored for this reason.
Error not_stored(const Error& error);

// For how long a submit that is sent again under its Idempotency-Key finds the first.
inline constexpr Duration kIdempotencyKept = hours(24);

class Controller {
 public:
  // By cluster name.
  using Executors = std::map<std::string, Executor*>;

  // All arguments must outlive this. `on_commit` is called after each commit, before
  // replies and effects.
  Controller(Store& store, Executors executors, const Clock& clock, ControllerOptions options,
             std::function<void(const Committed&, const Tables&)> on_commit);

  // Loads the state, takes it over under a new epoch, brings it to `desired`, commits.
  // Errors: those of Store::load and Store::commit, and of check_configuration.
  Result<void> open(const DesiredState& desired);

  // Starts the executors and has them report on what the state says is live.
  Result<void> start_executors(const ObservationSink& sink);

  // `ended`: the job that the command is about, if it had ended when that was looked up; what has
  // to be known of ended jobs and is not given is read from the store.
  void stage(const Caller& caller, const Command& command, Reply reply, const JobView* ended = nullptr);
  void stage(Observation observation);
  void stage(const engine::Plan& plan);
  // Errors: those of check_configuration; nothing is staged then.
  Result<void> stage_configuration(const DesiredState& desired);

  // While nothing can be stored: it is staged before what comes after it.
  void keep(Observation observation) { backlog_.add(std::move(observation)); }

  // What is due by now: reports of progress are staged, usage is sampled, run times are predicted anew, reservations
  // that are over leave, tokens of user code renewed (some at a time: it may be due again at once), and what is out of
  // contact for too long is logged.
  void do_due();
  // When do_due has something to do. Nothing: not before something is staged.
  std::optional<Instant> next_due() const;
  // Reports that would have been stored later, because the server stops.
  void stage_progress();

  // Whether anything can be stored, tried with nothing: nothing has to be read back if it cannot. Reads
  // back what could not be when a commit failed. Errors: those of Store::commit and Store::load.
  Result<void> probe();

  void set_usage_kept(std::int64_t kept) { usage_.set_kept(kept); }
  // What a start is reckoned with from now on where work is lost.
  void set_restart_cost(Duration cost) { restart_cost_ = cost; }

  // Makes what is staged durable, then lets it take effect. On failure every staged
  // command is answered with `unavailable`, the state is read back from the store (where that
  // cannot be reached either, probe() does it before anything may be staged again), and
  // observations are kept for the next try. Error `conflict`: another server has taken
  // the state over; nothing more may be asked of this one.
  Result<void> commit();

  const Tables& tables() const { return world_.tables; }
  const engine::State& ledger() const { return world_.ledger; }
  const std::vector<TokenRecord>& tokens() const { return tokens_; }
  // In place of those with the same hash. Errors: the store's; then nothing has changed.
  Result<void> put_tokens(std::vector<TokenRecord> tokens);

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
  void begin_epoch(std::uint64_t newest_found);
  void take_up(const LostLaunches& lost);
  CommandContext context(const JobView* ended);
  void stage_backlog();
  void expire_idempotency();
  void renew_tokens();
  void say_who_is_lost();
  Executor* executor_of(const std::string& cluster) const;
  std::vector<LiveAttempt> live_attempts(const std::string& cluster) const;
  void tell_again(Executor& executor, const Token& token);
  Result<void> read_back();
  void refuse_all(const Error& error);
  void run(Effect effect);

  Store& store_;
  Executors executors_;
  ControllerOptions options_;
  std::function<void(const Committed&, const Tables&)> on_commit_;
  std::unique_ptr<StoreReader> history_;
  World world_;
  std::vector<TokenRecord> tokens_;
  Staging staging_;
  ProgressDesk progress_;
  DueList<AttemptKey> renewals_;  // of the tokens of attempts that were given one
  std::vector<Waiting> replies_;
  bool stale_ = false;  // what is in memory is not what is stored
  Instant last_expiry_;
  std::vector<Observation> observations_;  // of this batch, kept until it is durable
  Backlog backlog_;                        // of batches that could not be stored
  std::vector<ReleaseEffect> over_;        // to be released once the executors have begun
  ContactWatch watch_;
  UsageSampler usage_;
  RunTimePredictor run_times_;
  Duration restart_cost_ = engine::Policy{}.restart_cost;
};

}  // namespace ym
