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

// By root: the queues of the tree whose delay is over, by name.
using Shrunk = std::map<Index, std::vector<Index>>;

Shrunk shrunk_trees(Cycle& cycle) {
  Shrunk trees;
  for (const auto& [name, row] : cycle.state.queues) {
    if (!row.shrunk_at || !row.shrink_after) continue;
    const Instant due = after(*row.shrunk_at, *row.shrink_after);
    const Index queue = cycle.state.queue_names.find(name);
    if (due > cycle.now) cycle.wake_at(due);
    else trees[cycle.state.quota.root(queue)].push_back(queue);
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
  const Losses losses(cycle.state, cycle.policy.restart_cost, cycle.now);
  std::vector<Beyond> found;
  for (const auto& [job, live] : cycle.state.live) {
    const JobRow& row = *cycle.state.jobs.find(job);
    if (!row.preemptible || live.leaving || live.stopping || live.unreachable) continue;
    if (!trees.contains(cycle.state.quota.root(live.queue)) || !is_overdrawn_by(cycle.state, live)) continue;
    found.push_back({.job = job, .live = &live, .priority = row.priority, .lost_gpu_ms = losses.of(job, live).gpu_ms});
  }
  std::ranges::sort(found, {}, &Beyond::order);
  return found;
}

// The queue itself or one above it, if one of these was made smaller; else another of the tree.
Index whose_quota(const Cycle& cycle, const std::vector<Index>& shrunk, Index queue) {
  const auto above =
      std::ranges::find_if(shrunk, [&](Index cohort) { return cycle.state.quota.is_above(cohort, queue); });
  return above == shrunk.end() ? shrunk.front() : *above;
}

}  // namespace

void shrink(Cycle& cycle) {
  if (!cycle.policy.quota_phase || !cycle.policy.preempt_phase) return;
  const Shrunk trees = shrunk_trees(cycle);
  if (trees.empty()) return;
  for (const Beyond& one : who_may_go(cycle, trees)) {
    if (!is_overdrawn_by(cycle.state, *one.live)) continue;
    const Index queue = whose_quota(cycle, trees.at(cycle.state.quota.root(one.live->queue)), one.live->queue);
    cycle.plan.decisions.emplace_back(Eviction{.job = one.job,
                                               .attempt = one.live->number,
                                               .lost_gpu_ms = one.lost_gpu_ms,
                                               .queue = cycle.state.queue_names[queue],
                                               .cause = Eviction::Cause::shrink});
    cycle.trial.depart(one.job);
  }
}

}  // namespace ym::engine
