// Service: all that the API can ask of a running server. The one door to control.
//
// Thread-safe. Reads never wait behind a commit: live state comes from an in-memory
// read model, history from the store's readers.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/secret.h"
#include "control/command.h"
#include "control/histogram.h"
#include "control/token_commands.h"
#include "engine/engine.h"
#include "engine/forecast/deadline_verdict.h"
#include "engine/forecast/forecast.h"
#include "engine/forecast/policy_diff.h"
#include "engine/forecast/sooner.h"
#include "executor/executor.h"
#include "store/store.h"

namespace ym {

struct JobView {
  Shared<Job> job;
  std::vector<Shared<Attempt>> attempts;  // by number; in lists only the newest of a job that goes on

  const Attempt* attempt(std::int32_t number) const;  // null: there is none of that number
};

struct JobPage {
  std::vector<JobView> items;  // newest first
  std::optional<JobId> next;   // pass as JobFilter::before for the next page
  std::uint64_t as_of = 0;     // seq: watch the feed from here and nothing is missed
};

struct EventPage {
  std::vector<Event> items;  // in order of seq; fewer than asked for where they are large
  bool more = false;         // there may be more behind the last
  std::uint64_t as_of = 0;
};

// Why a job waits; of one that does not, only what it does instead.
struct Explanation {
  JobState state = JobState::queued;
  std::string message;                     // about that state
  std::vector<std::string> because;        // of one that has a place: why it is there (why_it_runs.h)
  std::optional<engine::Reason> dominant;  // nothing: it does not wait
  bool code_only = false;                  // of the reason, from a server that decides nothing: its code is stored
  std::vector<engine::Reason> also;
  // What its queue promises to jobs like it: by when it is to begin.
  struct Promise {
    Duration within;
    Instant by;
  };
  std::optional<Promise> promise;
  std::vector<Job> ahead;  // considered earlier, at most 20
  std::int64_t ahead_total = 0;
  std::optional<engine::Reservation> reservation;  // the machines that it is promised
  std::optional<engine::MoveAdvice> advice;        // whom moving would let it start
  // The forecast that the next three come from. Nothing: none was made yet, or the job is held.
  struct Forecast {
    Instant as_of;
    Instant until;  // who begins later is not told when
  };
  std::optional<Forecast> forecast;
  std::optional<engine::PredictedStart> predicted_start;  // as it is to be said now; nothing: not known
  std::optional<engine::NoStart> no_estimate;             // then why, if there is a forecast
  std::optional<engine::DeadlineVerdict> deadline;        // nothing: it has none, or is not judged yet
  std::vector<engine::SoonerChange> sooner;  // with each of these it would start at once; none: or not known yet
};

// An attempt is to stop: at the deadline it is killed. One that lies in the past was set before
// an outage that it ended in: who lives still was told again then, with a grace of its own.
struct Notice {
  StopCause cause = StopCause::cancel;
  Instant deadline;
  Duration grace;  // how long that was at first
  bool operator==(const Notice&) const = default;
};

struct UserUsage {
  std::string user, flavor;
  ResourceVector lately;
};

struct QueueView {
  Queue queue;
  std::vector<engine::QueueUsage> usage;
  // What was used lately, as of the last sample, by flavor and in the kinds' own units: in the queue and those
  // below it; and in the queue itself by each of its users, most GPUs first.
  std::map<std::string, ResourceVector> lately;
  std::vector<UserUsage> users;
  std::vector<std::int64_t> budgets_used;         // as of the last cycle, in the order of the queue's budgets
  std::int64_t queued = 0, held = 0, active = 0;  // jobs in this queue itself
};

struct DeviceUse {
  std::string device;
  std::vector<AttemptKey> attempts;  // by id; more than one: they share it
};
struct NodeView {
  Node node;
  ResourceVector used;
  std::vector<DeviceUse> devices;  // as in node.devices
  // What its executor can really enforce, for people: "cpu limit" -> "cgroup v2".
  std::map<std::string, std::string> enforcement;
};

// How long cycles of the engine took.
using CycleTimes = Histogram<std::array{0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0}>;
// From what sets a job's waiting clock (Job::waits_since) to its admission: to a week.
using AdmissionWaits =
    Histogram<std::array{0.1, 1.0, 5.0, 15.0, 60.0, 300.0, 900.0, 3600.0, 14'400.0, 43'200.0, 86'400.0, 604'800.0}>;

struct Counters {
  std::map<std::pair<JobState, std::string>, std::int64_t> jobs;           // by state and queue
  std::map<std::pair<std::string, std::string>, std::int64_t> unadmitted;  // by queue and reason
  std::map<std::string, std::int64_t> finished;                            // by state, since start
  std::int64_t attempts = 0;                                               // since start
  // Attempts told to stop to make room, since start: by queue of who was stopped, and cause
  // ("priority", "reclaim", "borrow", "consolidation", "drain", "shrink", "resize").
  std::map<std::pair<std::string, std::string>, std::int64_t> preemptions;
  // What these were to lose, as estimated when that was decided, by cause.
  std::map<std::string, std::int64_t> estimated_lost_gpu_ms{
      {"priority", 0}, {"reclaim", 0}, {"consolidation", 0}, {"drain", 0}, {"shrink", 0}};
  // What jobs have to do again as attempts of theirs ended since start (model/loss.h): by the same causes, and by
  // "infra" and "error" where none was told to make room, as retries are counted.
  std::map<std::string, std::int64_t> lost_gpu_ms{{"priority", 0}, {"reclaim", 0}, {"consolidation", 0}, {"drain", 0},
                                                  {"shrink", 0},   {"infra", 0},   {"error", 0}};
  std::map<std::string, AdmissionWaits> admission_waits{};  // by queue, since start
  std::map<std::string, std::int64_t> at_risk_gpu_ms{};     // now, by queue, of what runs (model/risk.h)
  // Jobs that succeeded since start, or failed for good, of those with a deadline: by queue and whether it was by then.
  std::map<std::pair<std::string, bool>, std::int64_t> deadlines{};
  // Admissions since start of jobs that were promised to begin within some time, by queue and whether they did
  // (model/queue.h, WaitPromise); and how many of those that wait now should have begun, by queue.
  std::map<std::pair<std::string, bool>, std::int64_t> wait_promises{};
  std::map<std::string, std::int64_t> overdue_waits{};
  // For how long attempts are out of contact now, by queue: the longest. Since a restart at most.
  std::map<std::string, std::int64_t> unreachable_ms{};
  std::int64_t commits = 0, events = 0, failed_commits = 0;
  std::uint64_t store_bytes = 0;  // on disk
  CycleTimes cycles;
};

// How the site schedules, as far as it is said: what is set goes before what the file says.
struct PolicyView {
  PolicySettings file, set;
};

// New events after each commit; called from the control thread, must return quickly.
using EventListener = std::function<void(const std::vector<Event>&)>;

// Called exactly once, from a thread of control.
using CompareReply = std::move_only_function<void(Result<engine::PolicyDiff>)>;

// Called exactly once, from the control thread.
using TokenAnswer = std::move_only_function<void(Result<TokenReply>)>;
// Called exactly once; must return quickly.
using LogReply = std::move_only_function<void(Result<LogChunk>)>;

class Service {
 public:
  virtual ~Service() = default;

  // Queues a command; `reply` comes later, from the control thread; at once and from this one, with
  // `unavailable`, where nothing can be stored for long.
  virtual void execute(Caller caller, Command command, Reply reply) = 0;

  // A change is stored before it is answered. Errors: as change_of; `unavailable`.
  virtual void change_tokens(TokenCommand command, TokenAnswer answer) = 0;
  // Those that are not revoked, the oldest first.
  virtual std::vector<TokenView> tokens() = 0;

  // Of a token of a principal, or of one that user code of an attempt was given.
  // Errors: `unauthenticated`.
  virtual Result<Caller> authenticate(const Secret& token) = 0;

  // An id, or the name of the caller's newest unfinished job, else of the newest that
  // has ended. Errors: `not_found`,
  // `ambiguous` (the id or name of an array: the message says what to write instead).
  virtual Result<JobId> resolve(const Caller& caller, std::string_view id_or_name) = 0;
  // The same for arrays: a group's id, or the name of the caller's array that was
  // submitted last, one with unfinished members first. Errors: `not_found`.
  virtual Result<GroupId> resolve_group(const Caller& caller, std::string_view id_or_name) = 0;

  virtual Result<JobView> job(JobId id) = 0;
  virtual Result<JobPage> jobs(const JobFilter& filter, std::size_t limit) = 0;
  // Errors: `not_found` if the job is unknown.
  virtual Result<Explanation> why(JobId id) = 0;
  // What a change of policy would do; nothing is changed, and it is not asked who may. Errors: `unavailable`,
  // `rate_limited`.
  virtual void compare(engine::PolicyChange change, CompareReply reply) = 0;
  virtual Result<EventPage> events(const EventFilter& filter, std::size_t limit) = 0;
  // Nothing: it is not to stop (`listen` tells when that changes). Errors: `not_found`.
  virtual Result<std::optional<Notice>> notice(AttemptKey attempt) = 0;
  virtual std::vector<QueueView> queues() = 0;                 // by name
  virtual std::vector<NodeView> nodes() = 0;                   // by name
  virtual std::vector<AdvanceReservation> reservations() = 0;  // by name
  virtual PolicyView policy() = 0;
  // Reads without making anybody wait: `reply` comes later, mostly from another thread. Errors: those of
  // Executor::read_log; `unavailable`, too, if too many wait.
  virtual void read_log(LogQuery query, LogReply reply) = 0;
  // Of a live attempt whose tasks run elsewhere; it lives as long as the service. Errors, of its calls too:
  // `not_found`, after which user code is ended; `unavailable` where that cannot be said for certain.
  virtual Result<TaskLink*> task_link(AttemptKey attempt) = 0;

  // The listener is called until the handle is destroyed.
  virtual std::shared_ptr<void> listen(EventListener listener) = 0;

  virtual std::uint64_t last_seq() = 0;
  virtual Counters counters() = 0;
  // Nothing if requests can be served; else why not.
  virtual std::optional<std::string> not_ready() = 0;
  virtual Instant now() = 0;
};

}  // namespace ym
