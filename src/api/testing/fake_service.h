// A Service in memory, with a control thread of its own: what the tests of the API and
// of its clients talk to. Its rules are only as good as those tests need.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <set>
#include <thread>

#include "control/service.h"

namespace ym::testing {

class FakeService final : public Service {
 public:
  static constexpr std::string_view kAdminToken = "admin-token";    // principal "ada", role admin
  static constexpr std::string_view kUserToken = "user-token";      // principal "bob", role user
  static constexpr std::string_view kViewerToken = "viewer-token";  // principal "eye", role viewer
  // Of user code of an attempt: role job.
  static std::string job_token(AttemptKey attempt);

  FakeService();
  ~FakeService() override;

  // --- what tests arrange
  Job add_job(JobSpec spec, std::string_view owner = "ada");
  void set_state(JobId id, JobState state);
  void add_attempt(Attempt attempt);  // replaces the one of that number
  // From now on the attempt is to stop.
  void set_notice(AttemptKey attempt, Notice notice);
  void change_job(JobId id, const std::function<void(Job&)>& change);
  std::vector<ReportProgress> reports() const;  // in order, as they came
  std::size_t notices_asked() const;            // calls of notice()
  // The attempt's tasks run elsewhere; `link` outlives the service.
  void set_task_link(AttemptKey attempt, TaskLink& link);
  void write_log(AttemptKey attempt, std::int32_t task, std::string_view text, bool complete);
  // From now on nothing is read from a log, and who asks waits until the next call with false.
  void hang_logs(bool hanging);
  // Of those who wait: how many have not gone away.
  std::size_t log_readers() const;
  void add_queue(Queue queue);
  void add_node(Node node);
  void set_usage(std::vector<engine::QueueUsage> usage);
  void set_explanation(Explanation explanation);
  void set_counters(Counters counters);
  void set_not_ready(std::optional<std::string> reason);
  void fail_commands(std::optional<Error> error);
  // Events up to this one are no longer kept.
  void forget_events(std::uint64_t seq);
  // Commands wait until the next call with false.
  void pause(bool paused);
  std::size_t commands_waiting() const;
  std::size_t submits() const;  // commands, replays included
  std::size_t job_count() const;
  std::size_t listeners() const;
  // Publishes one more event about nothing in particular.
  void tick();

  // --- Service
  void execute(Caller caller, Command command, Reply reply) override;
  void change_tokens(TokenCommand command, TokenAnswer answer) override;
  std::vector<TokenView> tokens() override;
  Result<Caller> authenticate(const Secret& token) override;
  Result<JobId> resolve(const Caller& caller, std::string_view id_or_name) override;
  Result<GroupId> resolve_group(const Caller& caller, std::string_view id_or_name) override;
  Result<JobView> job(JobId id) override;
  Result<JobPage> jobs(const JobFilter& filter, std::size_t limit) override;
  Result<Explanation> why(JobId id) override;
  void compare(engine::PolicyChange change, CompareReply reply) override;
  Result<EventPage> events(const EventFilter& filter, std::size_t limit) override;
  Result<std::optional<Notice>> notice(AttemptKey attempt) override;
  std::vector<QueueView> queues() override;
  std::vector<NodeView> nodes() override;
  std::vector<AdvanceReservation> reservations() override;
  PolicyView policy() override;
  void read_log(LogQuery query, LogReply reply) override;
  Result<TaskLink*> task_link(AttemptKey attempt) override;
  std::shared_ptr<void> listen(EventListener listener) override;
  std::uint64_t last_seq() override;
  Counters counters() override;
  std::optional<std::string> not_ready() override;
  Instant now() override;

 private:
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
                const std::vector<Job>& jobs);
  Result<CommandReply> take_report(const ReportProgress& command);
  Attempt* find_attempt(AttemptKey attempt);
  Result<CommandReply> change(JobId id, JobState from, JobState to, EventPayload payload);
  Result<CommandReply> cancel(JobId id);
  Result<CommandReply> set_queues(const ApplyQueues& command);
  Result<CommandReply> set_node(const SetNodeSchedulable& command);
  Result<CommandReply> set_policy(const PolicySettings& settings);
  Result<CommandReply> create_reservation(const CreateReservation& command);
  Result<CommandReply> remove_reservation(const RemoveReservation& command);
  std::vector<Job> make_jobs(const JobSpec& spec, std::string_view owner);
  // Where its jobs wait. It has one default, for everybody.
  static std::string queue_of(const JobSpec& spec) { return spec.queue.empty() ? "default" : spec.queue; }
  void record(EventPayload payload);
  void publish();
  bool matches(const JobFilter& filter, const Job& job) const;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Pending> queue_;
  struct FakeJob {
    Job job;
    std::vector<Attempt> attempts;
    JobView view() const { return {job, {attempts.begin(), attempts.end()}}; }
  };
  std::map<JobId, FakeJob> jobs_;
  PolicyView policy_{.file = {.age_cap = hours(2)}};
  std::map<std::pair<std::string, std::string>, Remembered> keys_;
  std::map<std::pair<AttemptKey, std::int32_t>, Log> logs_;
  std::vector<TokenRecord> tokens_;
  std::vector<HangingRead> hanging_reads_;
  bool logs_hang_ = false;
  std::map<AttemptKey, Notice> notices_;
  std::vector<ReportProgress> reports_;
  TaskLink* link_ = nullptr;
  AttemptKey link_of_;
  std::size_t notices_asked_ = 0;
  std::map<std::string, Queue> queues_;
  std::map<std::string, AdvanceReservation> reservations_;
  std::map<std::string, Node> nodes_;
  std::vector<engine::QueueUsage> usage_;
  std::optional<Explanation> explanation_;
  Counters counters_;
  std::optional<std::string> not_ready_;
  std::optional<Error> failure_;
  std::vector<Event> events_;
  std::vector<Event> unpublished_;
  std::map<std::uint64_t, std::shared_ptr<EventListener>> listeners_;
  std::uint64_t next_listener_ = 1;
  std::uint64_t forgotten_ = 0;
  std::uint64_t last_id_ = 0;
  std::uint64_t last_seq_ = 0;
  std::size_t submits_ = 0;
  bool paused_ = false;
  bool stopping_ = false;
  std::mutex publishing_;
  std::jthread thread_;
};

}  // namespace ym::testing
