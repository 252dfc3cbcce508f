// Queues: a tree. Leaves hold jobs; inner queues are cohorts, whose children lend
// to each other. Quota has Kueue's meaning, exactly.
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

// Of one flavor and resource kind. Absent limits mean: all that the cohort has
// (borrowing), all that is nominal (lending).
struct Quota {
  std::int64_t nominal = 0;
  std::optional<std::int64_t> borrowing_limit;
  std::optional<std::int64_t> lending_limit;
  bool operator==(const Quota&) const = default;
};

// A kind that is absent is unlimited in that flavor.
using FlavorQuota = std::array<std::optional<Quota>, kResourceKinds>;

// Quota by flavor, in the order in which the flavors are tried.
class QuotaList {
 public:
  using Entry = std::pair<std::string, FlavorQuota>;

  QuotaList() = default;
  QuotaList(std::initializer_list<Entry> entries) : entries_(entries) {}

  // A flavor that is not there yet is added at the end, with no kind limited.
  FlavorQuota& operator[](std::string_view flavor);
  // Null: the flavor is not there.
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

// Whom a job of the queue may stop to make room for itself: within the queue, and to take back
// quota that was lent to others (Kueue's withinClusterQueue and reclaimWithinCohort).
enum class PreemptRule : std::uint8_t { never, lower_priority, any };
constexpr std::string_view to_string(PreemptRule value) {
  switch (value) {
    case PreemptRule::never: return "never";
    case PreemptRule::lower_priority: return "lower-priority";
    case PreemptRule::any: return "any";
  }
  return {};
}

// How jobs of one queue follow each other that are equally urgent; then by submit time, then by id.
//   shortest_first:          by their time limit; those without one last
//   least_attained_service:  by the GPU time that they have had, or by the level of it
//   deadline:                by their deadline; those without one last
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

// Whether jobs of a queue may begin (Kueue's stopPolicy).
//   hold:            those that run go on; nobody else begins
//   hold_and_drain:  those that run are stopped too, and wait again
enum class StopPolicy : std::uint8_t { none, hold, hold_and_drain };
constexpr std::string_view to_string(StopPolicy value) {
  switch (value) {
    case StopPolicy::none: return "none";
    case StopPolicy::hold: return "hold";
    case StopPolicy::hold_and_drain: return "hold-and-drain";
  }
  return {};
}

// Waiting makes a job of the queue more urgent: by one point each time it has waited for so long, by
// so many points at most. Whom it may stop does not depend on it.
struct AgeBoost {
  Duration every;
  std::int32_t most = 0;  // 0: none
  bool operator==(const AgeBoost&) const = default;
};

// When a flavor would do with some trouble (quota that has to be borrowed, somebody who has to be stopped):
// whether it is taken, or the next is tried first (Kueue's flavorFungibility).
enum class FlavorSearch : std::uint8_t { stop, try_next };
constexpr std::string_view to_string(FlavorSearch value) {
  switch (value) {
    case FlavorSearch::stop: return "stop";
    case FlavorSearch::try_next: return "try-next";
  }
  return {};
}

// For how long a running job of the queue is spared at least, whatever it asks for itself: from
// those more urgent, and from those that take lent quota back.
struct MinRuntime {
  Duration priority, reclaim;
  bool operator==(const MinRuntime&) const = default;
};

// So many jobs may run at once, and on so many GPUs together. Nothing: as many as there is room for.
struct RunLimit {
  std::optional<std::int64_t> jobs, gpus_milli;
  bool operator==(const RunLimit&) const = default;
};

// Jobs of the queue with at least this priority are to begin within so long. Whether they do is counted,
// and said of those that do not.
struct WaitPromise {
  std::int32_t priority = 0;
  Duration within;
  bool operator==(const WaitPromise&) const = default;
};

// Whose jobs go to the queue where they name none.
struct DefaultFor {
  std::vector<std::string> users, projects;
  bool operator==(const DefaultFor&) const = default;
};

inline constexpr std::int32_t kAllReserve = std::numeric_limits<std::int32_t>::max();

struct Queue {
  static constexpr std::string_view kTable = "queues", kRow = "queue";
  std::string name;    // unique in the whole tree
  std::string parent;  // empty at a root
  // A flavor that is absent cannot be used. A queue without any quota (nullopt) has
  // nothing of its own and borrows, in the flavors and kinds that its tree has quota
  // of; if no queue of the tree has quota, it is unlimited.
  std::optional<QuotaList> quota;
  // A job that capacity or quota blocks for longer than this is old (engine/cycle/age.h). Nothing: the engine's
  // default.
  std::optional<Duration> age_cap;
  PreemptRule preempt = PreemptRule::lower_priority;
  PreemptRule reclaim = PreemptRule::any;  // `any`: of any priority
  // A job that has to borrow may stop jobs of other queues that borrow too, if they have a lower priority than it and
  // at most this one (Kueue's borrowWithinCohort). Nothing: it stops nobody of them.
  std::optional<std::int32_t> preempt_to_borrow;
  MinRuntime min_runtime;
  // Nobody outside of it and the queues below it may stop their jobs, and these stop nobody outside.
  bool fence = false;
  // Beside the others of its cohort it may borrow in proportion to this, in thousandths. Nothing at
  // all: it borrows only what nobody else wants.
  std::int64_t weight_milli = 1000;
  FlavorSearch when_can_borrow = FlavorSearch::stop, when_can_preempt = FlavorSearch::try_next;
  JobOrder order = JobOrder::fifo;
  // With least_attained_service: the GPU time from which on a job is of the next level, rising. Within a
  // level it is by submit time. None: whoever has had less goes first.
  std::vector<Duration> service_levels;
  AgeBoost age_boost;
  // Among equally urgent jobs those of the user go first who has used least lately (model/usage.h).
  bool fair_users = false;
  // While the first of its jobs waits, none behind it may begin.
  bool strict = false;
  StopPolicy stop = StopPolicy::none;  // of the queue and those below it
  // So many of its jobs that have quota but wait for machines are promised some, from a time on, and
  // others have them only until then. kAllReserve: all.
  std::int32_t reservations = 1;
  // Of the queue and those below it: all their jobs together, and those of each user.
  RunLimit run_limit, user_run_limit;
  // Of the queue and those below it; each holds by itself.
  std::vector<Budget> budgets;
  // So long after its quota was made smaller, jobs are stopped that there is no quota for any more.
  // Nothing: they run until they end.
  std::optional<Duration> shrink_after;
  std::optional<Instant> shrunk_at;  // when that was last
  std::vector<WaitPromise> wait_promises;
  DefaultFor default_for;
  bool accepts_jobs = true;  // false while the queue is removed but in use
  ManagedBy managed_by = ManagedBy::file;
  // Somebody made it so while the server ran: by that a "default" of theirs is told from the server's own.
  bool applied = false;
  bool operator==(const Queue&) const = default;
};

// Where jobs go that name no queue, if there is no other default for them. Where no queue is configured the server has
// one of its own of that name, without quota.
inline constexpr std::string_view kDefaultQueue = "default";

Queue servers_own_queue();
// Whether it is that one, held or closed perhaps.
bool is_servers_own(const Queue& queue);

// The shortest time within which a job of this priority is promised to begin; nothing: none is.
std::optional<Duration> promised_wait(const Queue& queue, std::int32_t priority);

// Whether any quota of the queue is less than it was, or it has left its tree.
bool shrinks(const Queue& before, const Queue& after);
// The queue as it is to be stored when it replaces that one at this time: with what it keeps of it.
Queue following(const Queue& before, Queue after, Instant now);

}  // namespace ym
