// Views: what readers of the server's state are given. Plain values, copies of one moment.
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

// How the site schedules, as far as it is said: what is set goes before what the file says.
struct PolicyView {
  PolicySettings file, set;
};

}  // namespace ym
