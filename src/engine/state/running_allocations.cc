#include "engine/state/running_allocations.h"

#include <algorithm>

#include "base/assert.h"

namespace ym::engine {
namespace {

// The order of the other rows may change.
template <class Rows, class Projection>
void erase_one(Rows& rows, Slot job, Projection projection) {
  // Mostly it is one of the newest.
  const auto found = std::ranges::find(rows.rbegin(), rows.rend(), job, projection);
  YM_ASSERT(found != rows.rend());
  *found = rows.back();
  rows.pop_back();
}

template <class I, class Row>
Row& row_of(IndexedVector<I, Row>& rows, I index) {
  rows.grow_to(index);
  return rows[index];
}

}  // namespace

void RunningAllocations::enter(Slot job, const Footprint& place, const Ending& ending) {
  Allocation& allocation = row_of(allocations_by_slot_, job);
  allocation = {.queue = place.queue, .charged = Charged::of(place), .nodes = {}, .ending = ending};
  for_each(place, [&](const LiveTask& task, const NodeNeed& need) {
    allocation.nodes.push_back(task.node);
    row_of(by_node_, task.node)
        .push_back({.job = job, .bits = task.bits, .cpus = need.cpus, .memory = need.memory, .part = need.part});
  });
  row_of(by_queue_, place.queue).push_back(job);
}

void RunningAllocations::leave(Slot job, const Footprint& place) {
  for (const LiveTask& task : place.tasks) erase_one(by_node_[task.node], job, &TaskAllocation::job);
  erase_one(by_queue_[place.queue], job, std::identity{});
}

void RunningAllocations::renew_bits(Slot job, NodeIndex node, std::uint64_t bits) {
  const auto occupied = std::ranges::find(by_node_[node], job, &TaskAllocation::job);
  YM_ASSERT(occupied != by_node_[node].end());
  occupied->bits = bits;
}

}  // namespace ym::engine
