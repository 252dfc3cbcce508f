// What attempts that have not ended hold, and what is nominated for waiting jobs: by job, and by node.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/time.h"
#include "engine/quota/budget_book.h"
#include "engine/quota/quota_tree.h"
#include "engine/state/flavors.h"
#include "engine/state/nodes/node_need.h"
#include "model/ids.h"
#include "model/resources.h"

namespace ym::engine {

// One task's part of a footprint.
struct LiveTask {
  NodeIndex node = kNone;
  std::uint64_t bits = 0;  // its devices that the node has
  std::vector<std::string> devices;
};

// What a gang takes of nodes, and of its queue's quota.
struct Footprint {
  QueueIndex queue = kNone;
  Flavors flavors;
  std::int64_t anchor = 0;    // number of tasks that are the anchor: the first ones
  Task task;                  // of each
  std::vector<Group> groups;  // none: all tasks are alike
  IndexedVector<TaskIndex, LiveTask> tasks;
  std::int64_t admitted_on = kToday;          // day of the admission
  std::vector<std::int64_t> prices_micros{};  // Attempt::prices_micros; empty: current prices

  ResourceVector total() const { return total_of(*this, std::ssize(tasks)); }
  // Amounts of one of its flavors.
  ResourceVector in(FlavorIndex flavor) const { return amounts_in(*this, flavors, flavor, std::ssize(tasks)); }
};

// Calls `each` with each task, and what that takes of its node.
template <class Each>
void for_each(const Footprint& place, Each each) {
  for_each_task(place, place.tasks.size(),
                [&](TaskIndex task, const NodeNeed& need) { each(place.tasks[task], need); });
}

// What a footprint is charged to, without its nodes.
struct Charged {
  Flavors flavors;
  ResourceVector first;                // of the first flavor
  std::vector<ResourceVector> others;  // of each further flavor

  static Charged of(const Footprint& place) {
    Charged charged{.flavors = place.flavors, .first = place.in(place.flavors.each().front()), .others = {}};
    for (const FlavorIndex flavor : place.flavors.each().subspan(1)) charged.others.push_back(place.in(flavor));
    return charged;
  }
  // Amounts of a flavor; nothing if the footprint has none of it.
  ResourceVector in(FlavorIndex flavor) const {
    if (!flavors.has(flavor)) return {};
    const auto place = std::ranges::find(flavors.each(), flavor) - flavors.each().begin();
    return place == 0 ? first : others[static_cast<std::size_t>(place - 1)];
  }
};

// `charge` adds the footprint to the quota tree, `refund` removes it.
inline void charge(QuotaTree& quota, const Footprint& place) {
  for (const FlavorIndex flavor : place.flavors.each()) quota.add(place.queue, flavor, place.in(flavor));
}
inline void refund(QuotaTree& quota, const Footprint& place) {
  for (const FlavorIndex flavor : place.flavors.each()) quota.remove(place.queue, flavor, place.in(flavor));
}

// An attempt that has not ended; also a cancelled or an unreachable one.
struct LiveAttempt : Footprint {
  std::int32_t number = 0;
  Instant admitted_at;
  std::optional<Instant> started_at;  // when user code ran in every task
  std::optional<Instant> stop_by;     // end of its grace, if it has to stop
  JobId yields_to;                    // the preempting job
  bool stopping = false;
  bool preempted = false;  // it stops because of a preemption: it will wait again
  bool unreachable = false;
  // It has to stop and is reachable: what it holds counts as free later. Follows from `stopping` and `unreachable`,
  // except in a trial (trial.h).
  bool leaving = false;

  // As Attempt::gpu_ms_until.
  std::int64_t gpu_ms_until(Instant then) const;
};

// Nominated placement of a waiting job.
struct Nomination : Footprint {
  ClusterIndex cluster = kNone;
  Instant expires_at;
  std::vector<JobId> victims;  // the preempted jobs, by id
};

// A task, as its node refers to it.
struct LiveRef {
  JobId job;
  TaskIndex task = kNone;
  auto operator<=>(const LiveRef&) const = default;
};

// Entry: LiveAttempt or Nomination.
template <class Entry>
class PlaceTable {
 public:
  // Precondition of `add`: the job has no entry. Of `remove`: it has one.
  void add(JobId job, Entry entry);
  Entry remove(JobId job);

  const Entry* find(JobId job) const;
  // Precondition: it has one.
  Entry& at(JobId job);
  LiveTask& task(const LiveRef& ref) { return at(ref.job).tasks.raw().at(ref.task.value); }
  // Tasks on the node: by job, then task.
  std::span<const LiveRef> on_node(NodeIndex node) const;

  // By job.
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }
  bool empty() const { return entries_.empty(); }

 private:
  std::map<JobId, Entry> entries_;
  IndexedVector<NodeIndex, std::vector<LiveRef>> by_node_;
};

using LiveTable = PlaceTable<LiveAttempt>;
using NominationTable = PlaceTable<Nomination>;
extern template class PlaceTable<LiveAttempt>;
extern template class PlaceTable<Nomination>;

}  // namespace ym::engine
