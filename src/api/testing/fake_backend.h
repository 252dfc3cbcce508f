// A Backend in memory with its own control thread, for the tests of the API and of its clients. Tests set up tables,
// which are read as those of a server (Reads). The rules of commands and explanations are only as good as these tests
// need.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "control/access/access_change.h"
#include "control/serve/backend.h"

namespace ym::testing {

class FakeBackend final : public Commands, public Advice, public Tasks {
 public:
  static constexpr std::string_view kAdminToken = "admin-token";    // principal "ada", role admin
  static constexpr std::string_view kUserToken = "user-token";      // principal "bob", role user
  static constexpr std::string_view kViewerToken = "viewer-token";  // principal "eye", role viewer
  // The token for user code of an attempt: role job.
  static std::string job_token(AttemptKey attempt);

  FakeBackend();
  ~FakeBackend() override;

  const Reads& reads() const { return reads_; }
  // The handle does not keep this object alive.
  std::shared_ptr<const Backend> handle() const { return handle_; }

  // --- setup by tests
  Job add_job(JobSpec spec, std::string_view owner = "ada");
  void set_state(JobId id, JobState state);
  void add_attempt(Attempt attempt);  // replaces the one of that number
  // The attempt gets this notice.
  void set_notice(AttemptKey attempt, Notice notice);
  void change_job(JobId id, const std::function<void(Job&)>& change);
  // The attempt's tasks are remote. `link` must outlive this object.
  void set_task_link(AttemptKey attempt, TaskLink& link);
  void write_log(AttemptKey attempt, std::int32_t task, std::string_view text, bool complete);
  // While true, no log is read, and readers wait.
  void hang_logs(bool hanging);
  void add_queue(Queue queue);
  void add_node(Node node);
  void set_usage(std::vector<engine::QueueUsage> usage);
  void set_explanation(Explanation explanation);
  void set_counters(Counters counters);  // replaces the real counts
  void set_not_ready(std::optional<std::string> reason);
  void fail_commands(std::optional<Error> error);
  // Events up to this one are no longer kept.
  void forget_events(std::uint64_t seq);
  // While true, commands wait.
  void pause(bool paused);
  // Publishes one more event without meaning.
  void tick();

  // --- queries by tests
  std::vector<ReportProgress> reports() const;  // in order, as they came
  std::size_t notices_asked() const;            // calls of notice()
  // Number of log readers that wait and have not gone.
  std::size_t log_readers() const;
  std::size_t commands_waiting() const;
  std::size_t submits() const;  // commands, replays included
  std::size_t job_count() const;
  JobState state_of(JobId id) const;

  // --- the ports
  void execute(Caller caller, Command command, Reply reply) override;
  void note(AuditRecord) override {}
  Result<Explanation> why(const Caller& caller, JobId id) override;
  void compare(const Caller& caller, engine::PolicyChange change, CompareReply reply) override;
  Result<TaskLink*> task_link(const Caller& caller, AttemptKey attempt) override;
  Result<std::optional<Notice>> notice(const Caller& caller, AttemptKey attempt) override;
  void read_log(const Caller& caller, LogQuery query, LogReply reply) override;

 private:
  class History;
  struct Pending {
    Caller caller;
    Command command;
    Reply reply;
  };
  struct Remembered {
    std::string hash;
    std::vector<JobId> jobs;
  };
  struct HangingRead {
    LogQuery query;
    LogReply reply;
  };
  struct Log {
    std::string text;
    bool complete = false;
  };
  class FixedClock final : public Clock {
   public:
    Instant now() const override { return Instant{1'790'000'000'000}; }
  };

  Reads::Sources make_sources();
  Result<LogChunk> log_piece(const LogQuery& query);
  void run();
  Result<CommandReply> apply(const Caller& caller, const Command& command);
  Result<CommandReply> submit(const Caller& caller, const SubmitJobs& command);
  Result<CommandReply> retry(const Caller& caller, const RetryJob& command);
  Result<CommandReply> cancel_jobs(const CancelJobs& command);
  Result<CommandReply> change_group(const ChangeGroup& command);
  Result<CommandReply> remove_queue(const RemoveQueue& command);
  std::optional<Result<CommandReply>> replay(const Caller& caller, const std::optional<std::string>& key,
                                             const std::string& hash);
  void remember(const Caller& caller, const std::optional<std::string>& key, const std::string& hash,
                const std::vector<Shared<Job>>& jobs);
  Result<CommandReply> take(Result<AccessChange> change);
  std::optional<Result<CommandReply>> change_access(const Caller& caller, const Command& command);
  Result<CommandReply> take_report(const ReportProgress& command);
  Result<CommandReply> change(JobId id, JobState from, JobState to, EventPayload payload);
  Result<CommandReply> cancel(JobId id);
  Result<CommandReply> set_queues(const ApplyQueues& command);
  Result<CommandReply> set_queue_stop(const SetQueueStop& command);
  Result<CommandReply> set_node(const SetNodeSchedulable& command);
  Result<CommandReply> set_policy(const PolicySettings& settings);
  Result<CommandReply> create_reservation(const CreateReservation& command);
  Result<CommandReply> remove_reservation(const RemoveReservation& command);
  std::vector<Shared<Job>> make_jobs(const JobSpec& spec, std::string_view owner);
  // The queue in which its jobs wait. There is one default for all users.
  static std::string queue_of(const JobSpec& spec) { return spec.queue.empty() ? "default" : spec.queue; }
  Job& job_row(JobId id) { return tables_.jobs.change(id, RowGiven::maybe, nullptr); }
  // Changes the tables. Readers see the whole change at once.
  void arrange(const std::function<void(Tables&)>& change);
  void record(EventPayload payload);
  void publish();

  const FixedClock clock_;
  ReadModel model_;
  AccessBook access_book_;
  AccessCache access_;  // used by the control thread
  EventListeners listeners_;
  const Reads reads_;
  const Backend backend_{.reads = reads_, .commands = *this, .advice = *this, .tasks = *this};
  const std::shared_ptr<const Backend> handle_{&backend_, [](const Backend*) {}};

  mutable std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  std::deque<Pending> queue_;
  Tables tables_;
  std::vector<Event> events_;
  std::uint64_t forgotten_ = 0;
  std::vector<Event> unpublished_;
  std::map<std::pair<std::string, std::string>, Remembered> keys_;
  std::map<std::pair<AttemptKey, std::int32_t>, Log> logs_;
  std::vector<HangingRead> hanging_reads_;
  bool logs_hang_ = false;
  std::map<AttemptKey, Notice> notices_;
  std::vector<ReportProgress> reports_;
  TaskLink* link_ = nullptr;
  AttemptKey link_of_;
  std::size_t notices_asked_ = 0;
  Reads::Usage usage_;
  std::optional<Explanation> explanation_;
  std::optional<Counters> counters_;
  std::optional<std::string> not_ready_;
  std::optional<Error> failure_;
  std::size_t submits_ = 0;
  bool paused_ = false;
  bool stopping_ = false;
  std::mutex publishing_;
  std::jthread thread_;
};

}  // namespace ym::testing
