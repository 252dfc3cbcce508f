// Who is considered, and in which order.
#include <algorithm>

#include "engine/cycle/cycle.h"

namespace ym::engine {
Standing standing_of(const Cycle& cycle, const JobRow& job) {
  if (job.waiting == Waiting::held) return Standing::held;
  if (cycle.state.quota.fault(cycle.state.shape_of(job).queue) != QueueFault::none) return Standing::misconfigured;
  if (job.not_before && *job.not_before > cycle.now) return Standing::backoff;
  return Standing::open;
}

namespace {

// How each stands; those come first who are considered at all.
void consider(Cycle& cycle) {
  std::vector<Index> considered, others;
  std::vector<Standing> standing, why;
  for (const Index slot : cycle.order) {
    const JobRow& job = cycle.state.jobs[slot];
    const Standing one = standing_of(cycle, job);
    if (one == Standing::open) cycle.cases[job.shape].open = true;
    if (one == Standing::backoff) cycle.wake_at(*job.not_before);
    const bool kept = cycle.state.holds.find(job.id) != nullptr;
    const bool is_considered = one == Standing::open || (kept && one != Standing::misconfigured);
    (is_considered ? considered : others).push_back(slot);
    (is_considered ? standing : why).push_back(kept ? Standing::kept : one);
  }
  cycle.considered = static_cast<Rank>(considered.size());
  considered.insert(considered.end(), others.begin(), others.end());
  standing.insert(standing.end(), why.begin(), why.end());
  cycle.order = std::move(considered);
  cycle.standing = std::move(standing);
  cycle.rank_of.assign(cycle.state.jobs.slots(), kNone);
  for (Rank rank = 0; rank < cycle.order.size(); ++rank) cycle.rank_of[cycle.order[rank]] = rank;
}

}  // namespace

void order(Cycle& cycle) {
  const auto& waiting = cycle.state.jobs.waiting();
  cycle.order.reserve(waiting.size());
  // Who is to be cancelled waits for nothing any more.
  for (const Index slot : waiting)
    if (!cycle.state.jobs[slot].cancel_requested) cycle.order.push_back(slot);
  if (!cycle.policy.order_phase)
    std::ranges::sort(cycle.order, {}, [&](Index slot) { return cycle.state.jobs[slot].id; });
  consider(cycle);
}

}  // namespace ym::engine
