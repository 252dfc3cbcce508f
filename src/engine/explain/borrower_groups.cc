#include "engine/explain/borrower_groups.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "engine/preemption/preemptible_jobs.h"

namespace ym::engine {
namespace {

// Whether the queue borrows anything, now or when the leaving jobs are gone.
bool borrows(const State::Impl& state, QueueIndex queue) {
  const auto exceeds = [&](const QuotaTree& quota, FlavorIndex flavor, ResourceKind kind) {
    return quota.usage(queue, flavor, kind) > quota.subtree(queue, flavor, kind);
  };
  for (const FlavorIndex flavor : indices<FlavorIndex>(state.quota.flavor_count()))
    for (const ResourceKind kind : kKindsByWeight)
      if (exceeds(state.quota, flavor, kind) || exceeds(state.in_use, flavor, kind)) return true;
  return false;
}

Kinds kinds_of(const Charged& charged) {
  Kinds kinds;
  const auto flavors = charged.flavors.each();
  for (std::size_t place = 0; place < flavors.size(); ++place)
    for (const ResourceKind kind : kKindsByWeight)
      if (charged.in(flavors[place])[kind] > 0) kinds.add(kind, place);
  return kinds;
}

}  // namespace

void BorrowerGroups::find_borrowing() {
  borrowing_.emplace();
  const State::Impl& state = in_.state;
  for (const QueueIndex queue : indices<QueueIndex>(state.queue_names.size()))
    if (state.quota.root(queue) != kNone && !state.allocations.of_queue(queue).empty() && borrows(state, queue))
      (*borrowing_)[state.quota.root(queue)].push_back(queue);
}

// The place of a running job, or of a tentative admission.
const Footprint& BorrowerGroups::place_of(Slot slot) const {
  const LiveAttempt* live = in_.state.live.find(in_.state.jobs[slot].id);
  return live ? static_cast<const Footprint&>(*live) : tried_.tentative.at(slot).place;
}

std::vector<BorrowerGroup> BorrowerGroups::find(QueueIndex root) const {
  const auto queues = borrowing_->find(root);
  if (queues == borrowing_->end()) return {};
  std::map<std::tuple<QueueIndex, Flavors, Kinds, bool>, BorrowerGroup> groups;
  for (const QueueIndex queue : queues->second)
    for (const Slot slot : in_.state.allocations.of_queue(queue)) {
      const Allocation& allocation = in_.state.allocations.allocation(slot);
      const bool leaving = allocation.ending.leaving;
      BorrowerGroup& group = groups[{queue, allocation.charged.flavors, kinds_of(allocation.charged), leaving}];
      if (group.members.empty())
        group = {.queue = queue,
                 .flavors = allocation.charged.flavors,
                 .leaving = leaving,
                 .place = &place_of(slot),
                 .members = {}};
      group.members.push_back(slot);
      group.last_stop = std::max(group.last_stop, in_.state.jobs[slot].stopped_at);
    }
  std::vector<BorrowerGroup> list;
  for (auto& [key, group] : groups) list.push_back(std::move(group));
  return list;
}

std::span<BorrowerGroup> BorrowerGroups::of(QueueIndex root) {
  if (root == kNone) return {};
  if (!borrowing_) find_borrowing();
  const auto [known, tentative] = known_.try_emplace(root);
  if (tentative) known->second = find(root);
  return known->second;
}

const std::map<std::int32_t, Tally>& BorrowerGroups::tallies(BorrowerGroup& group) const {
  if (group.tallies) return *group.tallies;
  group.tallies.emplace();
  for (const Slot slot : group.members) count(slot, group, (*group.tallies)[in_.state.jobs[slot].priority]);
  return *group.tallies;
}

void BorrowerGroups::count(Slot slot, const BorrowerGroup& group, Tally& tally) const {
  const JobRow& job = in_.state.jobs[slot];
  const LiveAttempt* live = in_.state.live.find(job.id);
  if (live && live->unreachable) tally.unreachable += 1;
  else if (job.cancel_requested || (live && live->stopping)) tally.stopping += 1;
  else if (!job.preemptible) tally.unpreemptible += 1;
  else {
    const Instant often = preemption_limit_until(in_.state, job.id, in_.policy.preemptions_per_hour);
    const Instant ran = spared_from_reclaim_until(in_, job, group.queue, live ? live->started_at : std::nullopt);
    if (often > in_.now && often >= ran) {
      tally.stopped_often += 1;
      tally.often_until = std::min(tally.often_until, often);
    } else if (ran > in_.now) {
      tally.in_min_runtime += 1;
      tally.min_runtime_until = std::min(tally.min_runtime_until, ran);
    } else {
      const auto flavors = group.flavors.each();
      const Charged& charged = in_.state.allocations.allocation(slot).charged;
      Tally::Stoppable& some = tally.stoppable[job.stopped_at];
      some.jobs += 1;
      some.amounts.resize(flavors.size());
      for (std::size_t place = 0; place < flavors.size(); ++place) some.amounts[place] += charged.in(flavors[place]);
    }
  }
}

}  // namespace ym::engine
