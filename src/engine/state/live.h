// What attempts that have not ended hold, and what is kept for jobs that wait: by job, and by
// node.
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
#include "engine/state/node_need.h"
#include "model/ids.h"
#include "model/resources.h"

namespace ym::engine {

// One task's part of a footprint.
struct LiveTask {
  NodeIndex node = kNone;
  std::uint64_t bits = 0;  // of its devices that the node has
  std::vector<std::string> devices;
};

// What a gang takes of nodes, and of its queue's quota.
struct Footprint {
  QueueIndex queue = kNone;
  Flavors flavors;
  std::int64_t anchor = 0;    // so many tasks, the first, are its anchor
  Task task;                  // of each
  std::vector<Group> groups;  // none: all tasks are alike
  std::vector<LiveTask> tasks;
  std::int64_t admitted_on = kToday;          // the day
  std::vector<std::int64_t> prices_micros{};  // Attempt::prices_micros; none: those of now

  ResourceVector total() const { return total_of(*this, std::ssize(tasks)); }
  // Of one of its flavors.
  ResourceVector in(FlavorIndex flavor) const { return amounts_in(*this, flavors, flavor, std::ssize(tasks)); }
};

// Calls `each` with each of its tasks, and what that takes of its node.
template <class Each>
void for_each(const Footprint& place, Each each) {
  for_each_task(place, place.tasks.size(),
                [&](std::size_t task, const NodeNeed& need) { each(place.tasks[task], need); });
}

// What a place is charged to, without its nodes.
struct Charged {
  Flavors flavors;
  ResourceVector first;                // of the first of them
  std::vector<ResourceVector> others;  // of each of the others

  static Charged of(const Footprint& place) {
    Charged charged{.flavors = place.flavors, .first = place.in(place.flavors.each().front()), .others = {}};
    for (const FlavorIndex flavor : place.flavors.each().subspan(1)) charged.others.push_back(place.in(flavor));
    return charged;
  }
  // Of a flavor; nothing: it is none of its own.
  ResourceVector in(FlavorIndex flavor) const {
    if (!flavors.has(flavor)) return {};
    const auto place = std::ranges::find(flavors.each(), flavor) - flavors.each().begin();
    return place == 0 ? first : others[static_cast<std::size_t>(place - 1)];
  }
};

// Enters it, and takes it out again.
inline void charge(QuotaTree& quota, const Footprint& place) {
  for (const FlavorIndex flavor : place.flavors.each()) quota.add(place.queue, flavor, place.in(flavor));
}
inline void refund(QuotaTree& quota, const Footprint& place) {
  for (const FlavorIndex flavor : place.flavors.each()) quota.remove(place.queue, flavor, place.in(flavor));
}

// An attempt that has not ended; cancelled and unreachable ones too.
struct LiveAttempt : Footprint {
  std::int32_t number = 0;
  Instant admitted_at;
  std::optional<Instant> started_at;  // user code ran in every task
  std::optional<Instant> stop_by;     // when its grace is over, if it is to stop
  JobId yields_to;                    // for whom it is to stop
  bool stopping = false;
  bool preempted = false;  // that is why: it will wait again
  bool unreachable = false;
  // It is to stop and can be seen: what it holds counts as free some time soon. Follows from
  // the two before, except in a trial (trial.h).
  bool leaving = false;

  // As Attempt::gpu_ms_until.
  std::int64_t gpu_ms_until(Instant then) const;
};

// What is kept for a job that waits.
struct HeldPlace : Footprint {
  ClusterIndex cluster = kNone;
  Instant expires_at;
  std::vector<JobId> victims;  // who made room, by id
};

// A task, as a node knows it.
struct LiveRef {
  JobId job;
  Index task = 0;
  auto operator<=>(const LiveRef&) const = default;
};

// Entry: LiveAttempt or HeldPlace.
template <class Entry>
class PlaceTable {
 public:
  // Preconditions: the job has no entry yet; it has one.
  void add(JobId job, Entry entry);
  Entry remove(JobId job);

  const Entry* find(JobId job) const;
  // Precondition: it has one.
  Entry& at(JobId job);
  LiveTask& task(const LiveRef& ref) { return at(ref.job).tasks.at(ref.task); }
  // Who is on the node: by job, then task.
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
using NominationTable = PlaceTable<HeldPlace>;
extern template class PlaceTable<LiveAttempt>;
extern template class PlaceTable<HeldPlace>;

}  // namespace ym::engine
