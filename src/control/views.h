// Views: what readers of the server's state get. Plain values, copies of one moment.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "engine/forecast/deadline_verdict.h"
#include "engine/forecast/forecast.h"
#include "engine/forecast/sooner.h"
#include "model/event.h"
#include "model/job.h"
#include "model/policy_settings.h"
#include "model/queue.h"

namespace ym {

struct JobView {
  Shared<Job> job;
  std::vector<Shared<Attempt>> attempts;  // by number; lists have only the newest attempt of a live job
  bool is_outline = false;                // the caller does not see the whole job

  const Attempt* attempt(std::int32_t number) const;  // null: there is no such attempt
};

struct JobPage {
  std::vector<JobView> items;  // newest first
  std::optional<JobId> next;   // pass as JobFilter::before for the next page
  std::uint64_t as_of = 0;     // seq: a watch of the feed from here misses nothing
};

// An event as a caller sees it.
struct SeenEvent {
  Event event;
  bool outline = false;  // the caller sees only that it happened to the job, and when
};

struct EventPage {
  std::vector<SeenEvent> items;  // in order of seq; fewer than requested if they are large or if most are hidden
  // The first and the last event that were looked at, shown or hidden. The next page begins after the last.
  std::uint64_t first = 0, last = 0;
  bool more = false;  // there may be more after the last
  std::uint64_t as_of = 0;
};

// Why a job waits. For a job that does not wait: only its state.
struct Explanation {
  JobState state = JobState::queued;
  std::string message;                     // about that state
  std::vector<std::string> because;        // of a job with a placement: why it has it (why_it_runs.h)
  std::optional<engine::Reason> dominant;  // nothing: it does not wait
  bool code_only = false;                  // the reason has a code only, which is stored: this server decides nothing
  std::vector<engine::Reason> also;
  std::map<JobId, std::string> names;  // of the jobs that go first by these reasons
  // The queue's wait promise for this job: when it is to start.
  struct Promise {
    Duration within;
    Instant by;
  };
  std::optional<Promise> promise;
  std::vector<Job> ahead;  // considered earlier, at most 20
  std::int64_t ahead_total = 0;
  std::optional<engine::Reservation> reservation;  // its backfill reservation
  std::optional<engine::MoveAdvice> advice;        // running jobs that could be moved so that it starts
  // The forecast behind the next three. Nothing: there is none yet, or the job is held.
  struct Forecast {
    Instant as_of;
    Instant until;  // later starts are not predicted
  };
  std::optional<Forecast> forecast;
  std::optional<engine::PredictedStart> predicted_start;  // widened by the errors of past forecasts; nothing: not known
  std::optional<engine::NoStart> no_estimate;             // why predicted_start is missing, if there is a forecast
  std::optional<engine::DeadlineVerdict> deadline;        // nothing: the job has none, or there is no verdict yet
  // With each of these changes it would start at once. Empty: there are none, or they are not known yet.
  std::vector<engine::SoonerChange> sooner;
};

// A request to stop an attempt: at the deadline it is killed. A deadline in the past was set before an outage of the
// server. A task that was still alive then got the notice again, with a new grace.
struct Notice {
  StopCause cause = StopCause::cancel;
  Instant deadline;
  Duration grace;  // the grace at first
  bool operator==(const Notice&) const = default;
};

struct UserUsage {
  std::string user, flavor;
  ResourceVector decayed_usage;
};

struct QueueView {
  Queue queue;
  std::vector<engine::QueueUsage> usage;
  // Decayed usage as of the last sample, by flavor, in the units of each kind: in the queue and those below it; and, by
  // each user, in the queue itself, most GPUs first.
  std::map<std::string, ResourceVector> decayed_usage;
  std::vector<UserUsage> users;
  std::vector<std::int64_t> budgets_used;         // as of the last cycle, in the order of the queue's budgets
  std::int64_t queued = 0, held = 0, active = 0;  // jobs in this queue itself
};

struct DeviceUse {
  std::string device;
  std::vector<AttemptKey> attempts;  // by id; several attempts share the device
  std::int64_t hidden = 0;           // further ones, which the reader may not see
};
struct NodeView {
  Node node;
  ResourceVector used;
  std::vector<DeviceUse> devices;  // as in node.devices
  // What its executor can enforce, as text: "cpu limit" -> "cgroup v2".
  std::map<std::string, std::string> enforcement;
};

// The scheduling settings of the site that are set: `set` overrides `file`.
struct PolicyView {
  PolicySettings file, set;
};

}  // namespace ym
