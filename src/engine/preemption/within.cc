#include "engine/preemption/within.h"

#include <algorithm>
#include <utility>

namespace ym::engine {
namespace {

// By flavor of the claimant. Empty: nothing.
std::vector<ResourceVector> held_by_those_it_may_take(const Claimant& claimant) {
  std::vector<ResourceVector> held;
  if (!claimant.rules) return held;
  const State::Impl& state = claimant.state;
  const QueueIndex queue = claimant.shape.queue;
  const auto flavors = claimant.flavors.each();
  for (const Slot slot : state.allocations.of_queue(queue)) {
    const JobRow& row = state.jobs[slot];
    const Allocation& allocation = state.allocations.allocation(slot);
    if (!row.preemptible || allocation.ending.leaving ||
        !may_stop(claimant.rules->preempt, claims_of(claimant.job, queue), claims_of(row, queue)))
      continue;
    held.resize(flavors.size());
    for (std::size_t at = 0; at < flavors.size(); ++at) held[at] += allocation.charged.in(flavors[at]);
  }
  return held;
}

// Whether a queue on the claimant's side of the way to the other is within nominal quota, with `held` subtracted in
// the claimant's own queue.
bool is_within_without(const Claimant& claimant, QueueIndex other, const std::vector<ResourceVector>& held) {
  const QuotaTree& quota = claimant.state.claimed;
  std::vector<std::pair<Ask, std::int64_t>> asks;
  for_each_ask(quota, claimant.shape, claimant.flavors,
               [&](const Ask& ask) { asks.emplace_back(ask, held.empty() ? 0 : held[ask.place][ask.kind]); });
  for (QueueIndex queue = claimant.shape.queue; !quota.is_above(queue, other); queue = quota.parent(queue)) {
    if (std::ranges::all_of(asks, [&](const auto& one) {
          const auto& [ask, less] = one;
          return quota.usage(queue, ask.flavor, ask.kind) - less <= quota.subtree(queue, ask.flavor, ask.kind);
        }))
      return true;
    for (auto& [ask, less] : asks) less = quota.given_back(queue, ask.flavor, ask.kind, less);
  }
  return false;
}

}  // namespace

bool Within::against(QueueIndex queue) {
  if (last_ != known_.end() && last_->first == queue) return last_->second;
  const auto [known, tentative] = known_.try_emplace(queue);
  if (tentative) known->second = find(queue);
  last_ = known;
  return known->second;
}

bool Within::find(QueueIndex queue) {
  if (is_within_without(claimant_, queue, {})) return true;
  if (own_ == Own::counts) return false;
  if (!own_held_) own_held_ = held_by_those_it_may_take(claimant_);
  return !own_held_->empty() && is_within_without(claimant_, queue, *own_held_);
}

}  // namespace ym::engine
