// Queues form a tree. Leaves hold jobs. Inner queues are cohorts: their children lend to each other. Quota has exactly
// the meaning that it has in Kueue.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/enum_names.h"
#include "base/time.h"
#include "model/budget.h"
#include "model/cluster.h"
#include "model/resources.h"

namespace ym {

// The quota for one flavor and resource kind. Without a limit, a queue may borrow all that the cohort has, and lends
// all of its nominal quota.
struct Quota {
  std::int64_t nominal = 0;
  std::optional<std::int64_t> borrowing_limit;
  std::optional<std::int64_t> lending_limit;
  bool operator==(const Quota&) const = default;
};

// A missing kind is unlimited in that flavor.
using FlavorQuota = std::array<std::optional<Quota>, kResourceKinds>;

// Quota by flavor, in the order in which the flavors are tried.
class QuotaList {
 public:
  using Entry = std::pair<std::string, FlavorQuota>;

  QuotaList() = default;
  QuotaList(std::initializer_list<Entry> entries) : entries_(entries) {}

  // Adds a missing flavor at the end, without a limit for any kind.
  FlavorQuota& operator[](std::string_view flavor);
  // Null: there is no such flavor.
  const FlavorQuota* find(std::string_view flavor) const;
  // Precondition: the flavor is there.
  const FlavorQuota& at(std::string_view flavor) const;
  bool contains(std::string_view flavor) const { return find(flavor) != nullptr; }

  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }
  bool empty() const { return entries_.empty(); }
  bool operator==(const QuotaList&) const = default;

 private:
  std::vector<Entry> entries_;
};

// Which jobs a job of the queue may preempt: in its own queue, and in other queues to reclaim lent quota (Kueue's
// withinClusterQueue and reclaimWithinCohort).
enum class PreemptRule : std::uint8_t { never, lower_priority, any };
constexpr std::string_view to_string(PreemptRule value) {
  switch (value) {
    case PreemptRule::never: return "never";
    case PreemptRule::lower_priority: return "lower-priority";
    case PreemptRule::any: return "any";
  }
  return {};
}

// The order of jobs of one queue with equal priority. Ties: by submit time, then by id.
//   shortest_first:          by time limit; jobs without one last
//   least_attained_service:  by the GPU time that the job has had, or by its level
//   deadline:                by deadline; jobs without one last
enum class JobOrder : std::uint8_t { fifo, shortest_first, least_attained_service, deadline };
constexpr std::string_view to_string(JobOrder value) {
  switch (value) {
    case JobOrder::fifo: return "fifo";
    case JobOrder::shortest_first: return "shortest-first";
    case JobOrder::least_attained_service: return "least-attained-service";
    case JobOrder::deadline: return "deadline";
  }
  return {};
}

// Whether jobs of a queue may start (Kueue's stopPolicy).
//   hold:            running jobs continue; no other job starts
//   hold_and_drain:  running jobs are preempted, too, and wait again
enum class StopPolicy : std::uint8_t { none, hold, hold_and_drain };
constexpr std::string_view to_string(StopPolicy value) {
  switch (value) {
    case StopPolicy::none: return "none";
    case StopPolicy::hold: return "hold";
    case StopPolicy::hold_and_drain: return "hold-and-drain";
  }
  return {};
}

// Waiting raises the priority of a job of the queue: by one point for each `every`, at most by `most`. It does not
// change which jobs the job may preempt.
struct AgeBoost {
  Duration every;
  std::int32_t most = 0;  // 0: none
  bool operator==(const AgeBoost&) const = default;
};

// A job fits a flavor only if it borrows quota or preempts: whether it takes that flavor, or tries the next one first
// (Kueue's flavorFungibility).
enum class FlavorSearch : std::uint8_t { stop, try_next };
constexpr std::string_view to_string(FlavorSearch value) {
  switch (value) {
    case FlavorSearch::stop: return "stop";
    case FlavorSearch::try_next: return "try-next";
  }
  return {};
}

// How long a running job of the queue is safe at least, whatever its own spec says: from more urgent jobs, and from
// queues that reclaim quota.
struct MinRuntime {
  Duration priority, reclaim;
  bool operator==(const MinRuntime&) const = default;
};

// Most jobs that run at once, and most GPUs that they use together. Nothing: no limit.
struct RunLimit {
  std::optional<std::int64_t> jobs, gpus_milli;
  bool operator==(const RunLimit&) const = default;
};

// Jobs of the queue with at least this priority should start within this time. Metrics count whether they do, and `ym
// why` shows it.
struct WaitPromise {
  std::int32_t priority = 0;
  Duration within;
  bool operator==(const WaitPromise&) const = default;
};

// The users and projects with this queue as default: their jobs go here if they name no queue.
struct DefaultFor {
  std::vector<std::string> users, projects;
  bool operator==(const DefaultFor&) const = default;
};

inline constexpr std::int32_t kAllReserve = std::numeric_limits<std::int32_t>::max();

struct Queue {
  static constexpr std::string_view kTable = "queues", kRow = "queue";
  std::string name;    // unique in the whole tree
  std::string parent;  // empty at a root
  // A flavor that is not in the list cannot be used. A queue without any quota (nullopt) has no nominal quota. It
  // borrows in the flavors and kinds in which its tree has quota. If no queue of the tree has quota, it is unlimited.
  std::optional<QuotaList> quota;
  // A job that waits longer than this for capacity or quota may block backfill (engine/cycle/order/age.h). Nothing: the
  // default of the site.
  std::optional<Duration> age_cap;
  PreemptRule preempt = PreemptRule::lower_priority;
  PreemptRule reclaim = PreemptRule::any;  // `any`: of any priority
  // A job that must borrow may preempt borrowing jobs of other queues that have a lower priority than its own and at
  // most this one (Kueue's borrowWithinCohort). Nothing: it preempts none of them.
  std::optional<std::int32_t> preempt_to_borrow;
  MinRuntime min_runtime;
  // Jobs outside do not preempt jobs of this queue and the queues below it, nor the reverse.
  bool fence = false;
  // Share of borrowing beside the siblings, in thousandths. 0: the queue borrows only what no other queue wants.
  std::int64_t weight_milli = 1000;
  FlavorSearch when_can_borrow = FlavorSearch::stop, when_can_preempt = FlavorSearch::try_next;
  JobOrder order = JobOrder::fifo;
  // With least_attained_service: amounts of GPU time at which a job enters the next level, rising. Within a level the
  // submit time decides. None: the job with the least GPU time comes first.
  std::vector<Duration> service_levels;
  AgeBoost age_boost;
  // Among jobs of equal priority, those of the user with the least decayed usage come first (model/usage.h).
  bool fair_users = false;
  // While the first of its jobs waits, no job behind it may start.
  bool strict = false;
  StopPolicy stop = StopPolicy::none;  // of the queue and those below it
  // How many of its jobs that have quota but no machines get a backfill reservation. kAllReserve: all.
  std::int32_t reservations = 1;
  // Limits for the queue and those below it: for all their jobs together, and for those of each user.
  RunLimit run_limit, user_run_limit;
  // For the queue and those below it. Each budget applies by itself.
  std::vector<Budget> budgets;
  // Time between a cut of the quota and the preemption of jobs that exceed it. Nothing: they run until they end.
  std::optional<Duration> shrink_after;
  std::optional<Instant> shrunk_at;  // time of the last cut
  std::vector<WaitPromise> wait_promises;
  DefaultFor default_for;
  bool accepts_jobs = true;  // false while the queue is removed but still in use
  ManagedBy managed_by = ManagedBy::file;
  // A user set it while the server ran. This distinguishes a user's "default" from the server's own.
  bool applied = false;
  bool operator==(const Queue&) const = default;
};

// The queue for jobs that name no queue, if there is no other default. If no queue is configured, the server makes one
// with this name, without quota.
inline constexpr std::string_view kDefaultQueue = "default";

Queue servers_own_queue();
// Whether it is the server's own queue; it may be held or closed.
bool is_servers_own(const Queue& queue);

// The shortest promised time until a start of a job with this priority; nothing: there is no promise.
std::optional<Duration> promised_wait(const Queue& queue, std::int32_t priority);

// Whether any quota of the queue is smaller than before, or it has another parent.
bool shrinks(const Queue& before, const Queue& after);
// The row to store when `after` replaces `before` now. It keeps `shrunk_at` unless the quota shrinks.
Queue following(const Queue& before, Queue after, Instant now);

}  // namespace ym
