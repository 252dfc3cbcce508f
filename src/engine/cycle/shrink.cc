// Queues whose quota was made smaller: some time later those are stopped, for nobody, who use what there is no
// quota for any more. Of all in the tree that borrow it the least urgent go first, then those that lose least.
#include <algorithm>
#include <map>
#include <tuple>

#include "engine/cycle/cycle.h"
#include "engine/preemption/roster.h"
#include "engine/quota/overdraft.h"

namespace ym::engine {
namespace {

// By root: the queue of the tree whose quota was made smaller last, if its delay is over. An older cut was seen to in
// its time.
using Shrunk = std::map<Index, Index>;

Shrunk shrunk_trees(Cycle& cycle) {
  std::map<Index, const Queue*> last;
  for (const auto& [name, row] : cycle.state.queues) {
    if (!row.shrunk_at) continue;
    const Queue*& newest = last[cycle.state.quota.root(cycle.state.queue_names.find(name))];
    if (!newest || *row.shrunk_at > *newest->shrunk_at) newest = &row;
  }
  Shrunk trees;
  for (const auto& [root, row] : last) {
    if (!row->shrink_after) continue;
    const Instant due = after(*row->shrunk_at, *row->shrink_after);
    if (due > cycle.now) cycle.wake_at(due);
    else trees.emplace(root, cycle.state.queue_names.find(row->name));
  }
  return trees;
}

struct Beyond {
  JobId job;
  const LiveAttempt* live = nullptr;
  std::int32_t priority = 0;
  std::int64_t lost_gpu_ms = 0;

  auto order() const { return std::tuple(priority, lost_gpu_ms, -live->admitted_at.ms, job); }
};

std::vector<Beyond> who_may_go(const Cycle& cycle, const Shrunk& trees) {
  std::vector<Beyond> found;
  for (const auto& [job, live] : cycle.state.live) {
    const JobRow& row = *cycle.state.jobs.find(job);
    if (!row.preemptible || live.leaving || live.stopping || live.unreachable) continue;
    if (!trees.contains(cycle.state.quota.root(live.queue)) || !is_overdrawn_by(cycle.state, live)) continue;
    found.push_back({.job = job, .live = &live, .priority = row.priority});
  }
  if (found.empty()) return found;
  const Losses losses(cycle.state, cycle.policy.restart_cost, cycle.now);
  for (Beyond& one : found) one.lost_gpu_ms = losses.of(one.job, *one.live).gpu_ms;
  std::ranges::sort(found, {}, &Beyond::order);
  return found;
}

}  // namespace

void shrink(Cycle& cycle) {
  if (!cycle.policy.quota_phase || !cycle.policy.preempt_phase) return;
  const Shrunk trees = shrunk_trees(cycle);
  if (trees.empty()) return;
  for (const Beyond& one : who_may_go(cycle, trees)) {
    if (!is_overdrawn_by(cycle.state, *one.live)) continue;
    const Index queue = trees.at(cycle.state.quota.root(one.live->queue));
    cycle.plan.decisions.emplace_back(Eviction{.job = one.job,
                                               .attempt = one.live->number,
                                               .lost_gpu_ms = one.lost_gpu_ms,
                                               .queue = cycle.state.queue_names[queue],
                                               .cause = Eviction::Cause::shrink});
    cycle.trial.depart(one.job);
  }
}

}  // namespace ym::engine
