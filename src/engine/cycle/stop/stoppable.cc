#include "engine/cycle/stop/stoppable.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace ym::engine {
namespace {

using Priority = std::optional<std::int32_t>;  // nothing: there is no job

// By queue: the highest priority of its waiting jobs.
IndexedVector<QueueIndex, Priority> most_urgent(const Inputs& in, const PendingEntries& pending) {
  IndexedVector<QueueIndex, Priority> most(in.state.queue_names.size());
  for (Rank rank{0}; rank < pending.considered; ++rank) {
    if (!pending.is_open(rank)) continue;
    Priority& own = most[pending.entry(rank).queue];
    own = std::max(own, Priority(pending.entry(rank).priority));
  }
  return most;
}

Priority least_urgent_there(const Inputs& in, QueueIndex queue) {
  Priority least;
  for (const Slot slot : in.state.allocations.of_queue(queue)) {
    const JobRow& job = in.state.jobs[slot];
    if (job.preemptible) least = std::min(least.value_or(job.priority), job.priority);
  }
  return least;
}

// Whether the queue uses more of anything than its own quota. Usage of a queue that has become a cohort counts as its
// members'.
bool borrows(const Inputs& in, QueueIndex queue) {
  const QuotaTree& quota = in.state.quota;
  if (quota.fault(queue) == QueueFault::is_cohort) return true;
  for (const FlavorIndex flavor : indices<FlavorIndex>(quota.flavor_count()))
    for (std::size_t kind = 0; kind < kResourceKinds; ++kind)
      if (quota.usage(queue, flavor, resource_kind(kind)) > quota.subtree(queue, flavor, resource_kind(kind)))
        return true;
  return false;
}

}  // namespace

bool some_jobs_may_be_stopped(const Inputs& in, const PendingEntries& pending) {
  const auto most = most_urgent(in, pending);
  const auto queues = in.state.queue_names.size();
  IndexedVector<QueueIndex, bool> someone_borrows(queues);  // by root
  for (const QueueIndex queue : indices<QueueIndex>(queues))
    if (const QueueIndex root = in.state.quota.root(queue);
        root != kNone && !in.state.allocations.of_queue(queue).empty())
      someone_borrows[root] = someone_borrows[root] || borrows(in, queue);
  for (const QueueIndex queue : indices<QueueIndex>(queues)) {
    const Queue* rules = in.rules[queue];
    if (!most[queue] || !rules) continue;
    if (rules->reclaim != PreemptRule::never && someone_borrows[in.state.quota.root(queue)]) return true;
    if (rules->preempt == PreemptRule::never) continue;
    const auto least = least_urgent_there(in, queue);
    if (!least) continue;
    if (*least < *most[queue] || (*least == *most[queue] && rules->preempt == PreemptRule::any)) return true;
  }
  return false;
}

}  // namespace ym::engine
