// StandbyService: what a server answers that stands by, or looks at a copy. It follows what the leader commits, and
// changes nothing.
//
// Reads are as of the last `follow`. What would change something is refused at once, with the words of a `Standing`; so
// are logs and what else only the leader has. Tasks and their user code are told `unavailable` whatever it says: from
// anything else they might take that they are not wanted any more.
//
// Threads: one calls follow(); the rest is as Reads and the ports say.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "control/serve/backend.h"
#include "control/serve/event_listeners.h"
#include "control/serve/read_model.h"
#include "control/serve/token_book.h"
#include "control/state/job_tokens.h"

namespace ym {

class StandbyService final : public Commands, public Advice, public Tasks {
 public:
  // The state that is followed.
  struct Source {
    std::function<Result<LoadedState>()> load;
    Reads::OpenReader reader;
    std::function<Result<std::vector<TokenRecord>>()> tokens;
    std::function<Result<Secret>()> job_token_key;  // as JobTokens::with_key takes it
  };
  // What is said to who wants more than to read.
  struct Standing {
    std::string message;       // why it cannot be had here, and how it can
    std::string leader_url{};  // who has it; may be empty
    ErrorCode code = ErrorCode::unavailable;
    bool retryable = true;  // trying again may help
  };
  // Of one that stands by. Empty `leader`: nobody leads, as far as is known. `url` may be empty.
  static Standing behind(const std::string& leader, const std::string& url);

  // `clock` must outlive it. `standing`: as last seen; from any thread.
  StandbyService(Source source, std::function<Standing()> standing, const PolicySettings& file_policy,
                 const Clock& clock);

  // Takes over all that was committed since the last call; all there is at the first. What was read before stays if it
  // fails. Until it once succeeded everybody is answered with `unavailable`.
  // Errors: those of the source.
  Result<void> follow();

  const Reads& reads() const { return reads_; }
  const Backend& backend() const { return backend_; }

  void execute(Caller caller, Command command, Reply reply) override;
  void change_tokens(const Caller& caller, TokenCommand command, TokenAnswer answer) override;
  // As far as it is stored: the reason's code, and no forecast.
  Result<Explanation> why(const Caller& caller, JobId id) override;
  void compare(const Caller& caller, engine::PolicyChange change, CompareReply reply) override;
  Result<TaskLink*> task_link(const Caller& caller, AttemptKey attempt) override;
  Result<std::optional<Notice>> notice(const Caller& caller, AttemptKey attempt) override;
  void read_log(const Caller& caller, LogQuery query, LogReply reply) override;

 private:
  using Steady = std::chrono::steady_clock;

  Reads::Sources make_sources();
  Result<void> begin();
  Result<void> refresh_tokens();
  void take(std::vector<Event> events);
  void note_usage();
  Reads::Usage usage() const;
  Result<AttemptKey> check_job_token(const Secret& token) const;
  std::unexpected<Error> refused() const;
  std::unexpected<Error> refused_to_task() const;

  const Source source_;
  const std::function<Standing()> standing_;
  const Clock& clock_;
  ReadModel read_model_;
  TokenBook token_book_;
  EventListeners listeners_;
  const Reads reads_;
  const Backend backend_{.reads = reads_, .commands = *this, .advice = *this, .tasks = *this};
  std::atomic<bool> loaded_ = false;
  std::atomic<bool> stranger_ = false;  // somebody came with a token that may be new

  // Of the thread that follows.
  Tables tables_;
  engine::State state_;
  std::unique_ptr<StoreReader> reader_;
  Steady::time_point tokens_read_at_;

  mutable std::mutex mutex_;  // of what is below
  std::optional<JobTokens> job_tokens_;
  Reads::Usage usage_;
};

}  // namespace ym
