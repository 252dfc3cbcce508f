// StandbyServer: the answers of a server that stands by, or that shows a copy. It follows the leader's commits, and
// changes nothing.
//
// Reads are as of the last `follow`. Changes are refused at once, with the text of a `Standing`; so are logs and other
// data that only the leader has. Tasks and their user code always get `unavailable`: from another error they might
// conclude that they are to end.
//
// Threads: one thread calls follow(); for the rest see Reads and the ports.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "control/access/access_book.h"
#include "control/serve/backend.h"
#include "control/serve/event_listeners.h"
#include "control/serve/read_model.h"
#include "control/state/job_tokens.h"

namespace ym {

class StandbyServer final : public Commands, public Advice, public Tasks {
 public:
  // The state that it follows.
  struct Source {
    std::function<Result<LoadedState>()> load;
    Reads::OpenReader reader;
    std::function<Result<Secret>()> job_token_key;  // for JobTokens::with_key
  };
  // The refusal of all requests except reads.
  struct Standing {
    std::string message;       // why the request is refused here, and where it is accepted
    std::string leader_url{};  // the leader; may be empty
    ErrorCode code = ErrorCode::unavailable;
    bool retryable = true;  // a retry may help
  };
  // The refusal of a standby. Empty `leader`: no known server leads. `url` may be empty.
  static Standing behind(const std::string& leader, const std::string& url);

  // What the configuration file says, which all servers of a state share.
  struct Settings {
    PolicySettings policy{};
    AccessMode access = AccessMode::everything;
  };

  // `clock` must outlive it. `standing`: the newest known; called from any thread.
  StandbyServer(Source source, std::function<Standing()> standing, const Settings& settings, const Clock& clock);

  // A new configuration file. Thread-safe.
  void set_access_mode(AccessMode mode);

  // Follows all commits since the last call; the first call loads the whole state. If it fails, the state read before
  // stays. Until it has succeeded once, all requests get `unavailable`. Errors: those of the source.
  Result<void> follow();

  const Reads& reads() const { return reads_; }
  const Backend& backend() const { return backend_; }

  void execute(Caller caller, Command command, Reply reply) override;
  // Only logs it, and equal ones once a minute: a standby stores nothing.
  void note(AuditRecord record) override;
  // Only what is stored: the reason's code, and no forecast.
  Result<Explanation> why(const Caller& caller, JobId id) override;
  void compare(const Caller& caller, engine::PolicyChange change, CompareReply reply) override;
  Result<TaskLink*> task_link(const Caller& caller, AttemptKey attempt) override;
  Result<std::optional<Notice>> notice(const Caller& caller, AttemptKey attempt) override;
  void read_log(const Caller& caller, LogQuery query, LogReply reply) override;

 private:
  using Steady = std::chrono::steady_clock;

  Reads::Sources make_sources();
  Result<void> begin();
  void take(std::vector<Event> events);
  void note_usage();
  Reads::Usage usage() const;
  Result<AttemptKey> check_job_token(const Secret& token) const;
  std::unexpected<Error> refused() const;
  std::unexpected<Error> refused_to_task() const;

  const Source source_;
  const std::function<Standing()> standing_;
  std::atomic<AccessMode> access_;
  const Clock& clock_;
  ReadModel read_model_;
  AccessBook access_book_;
  EventListeners listeners_;
  AuditIntake audit_;
  const Reads reads_;
  const Backend backend_{.reads = reads_, .commands = *this, .advice = *this, .tasks = *this};
  std::atomic<bool> loaded_ = false;

  // Used only by the thread that calls follow().
  Tables tables_;
  engine::State state_;
  std::unique_ptr<StoreReader> reader_;
  std::optional<Steady::time_point> read_again_at_;  // the state has tokens that no leader has imported

  mutable std::mutex mutex_;  // for the members below
  std::optional<JobTokens> job_tokens_;
  Reads::Usage usage_;
};

}  // namespace ym
