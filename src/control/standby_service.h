// StandbyService: what a server answers that stands by, or looks at a copy. It follows what the leader commits, and
// changes nothing.
//
// Reads are as of the last `follow`. What would change something is refused at once, with the words of a `Standing`; so
// are logs and what else only the leader has. Tasks and their user code are told `unavailable` whatever it says: from
// anything else they might take that they are not wanted any more.
//
// Threads: one calls follow(); the rest is as Service says.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "control/committed_reads.h"
#include "control/event_listeners.h"
#include "control/job_tokens.h"
#include "control/tokens.h"

namespace ym {

class StandbyService final : public Service {
 public:
  // The state that is followed.
  struct Source {
    std::function<Result<LoadedState>()> load;
    CommittedReads::OpenReader reader;
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

  void execute(Caller caller, Command command, Reply reply) override;
  void change_tokens(TokenCommand command, TokenAnswer answer) override;
  std::vector<TokenView> tokens() override { return token_book_.views(); }
  Result<Caller> authenticate(const Secret& token) override;
  Result<JobId> resolve(const Caller& caller, std::string_view id_or_name) override {
    return reads_.resolve(caller, id_or_name);
  }
  Result<GroupId> resolve_group(const Caller& caller, std::string_view id_or_name) override {
    return reads_.resolve_group(caller, id_or_name);
  }
  Result<JobView> job(JobId id) override { return reads_.job(id); }
  Result<JobPage> jobs(const JobFilter& filter, std::size_t limit) override { return reads_.jobs(filter, limit); }
  // As far as it is stored: the reason's code, and no forecast.
  Result<Explanation> why(JobId id) override;
  void compare(engine::PolicyChange change, CompareReply reply) override;
  Result<EventPage> events(const EventFilter& filter, std::size_t limit) override {
    return reads_.events(filter, limit);
  }
  Result<std::optional<Notice>> notice(AttemptKey attempt) override;
  std::vector<QueueView> queues() override;
  std::vector<NodeView> nodes() override { return read_model_.nodes(); }
  std::vector<AdvanceReservation> reservations() override { return read_model_.reservations(); }
  PolicyView policy() override { return read_model_.policy(); }
  void read_log(LogQuery query, LogReply reply) override;
  Result<TaskLink*> task_link(AttemptKey attempt) override;
  std::shared_ptr<void> listen(EventListener listener) override { return listeners_.add(std::move(listener)); }
  std::uint64_t last_seq() override { return read_model_.last_seq(); }
  Counters counters() override { return read_model_.counters(clock_.now()); }
  std::optional<std::string> not_ready() override;
  Instant now() override { return clock_.now(); }

 private:
  using Steady = std::chrono::steady_clock;

  Result<void> begin();
  Result<void> refresh_tokens();
  void take(std::vector<Event> events);
  void note_usage();
  std::unexpected<Error> refused() const;
  std::unexpected<Error> refused_to_task() const;

  const Source source_;
  const std::function<Standing()> standing_;
  const Clock& clock_;
  ReadModel read_model_;
  CommittedReads reads_;
  TokenBook token_book_;
  EventListeners listeners_;
  std::atomic<bool> loaded_ = false;
  std::atomic<bool> stranger_ = false;  // somebody came with a token that may be new

  // Of the thread that follows.
  Tables tables_;
  engine::State state_;
  std::unique_ptr<StoreReader> reader_;
  Steady::time_point tokens_read_at_;

  mutable std::mutex mutex_;  // of what is below
  std::optional<JobTokens> job_tokens_;
  std::vector<engine::QueueUsage> usage_;
  std::map<std::string, std::vector<std::int64_t>> budgets_;
};

}  // namespace ym
