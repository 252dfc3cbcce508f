#include "engine/cycle/order/expiring.h"

#include <algorithm>

#include "engine/cycle/cycle.h"

namespace ym::engine {
namespace {

void add_of_queue(const Inputs& in, const Tried& tried, QueueIndex queue, std::vector<Expiring>& list) {
  const Calendar& calendar = tried.reservations.calendar();
  for (const Slot slot : in.state.allocations.of_queue(queue)) {
    const Allocation& allocation = in.state.allocations.allocation(slot);
    // Admissions of this cycle change while it runs, and are few: quota_from.cc adds them.
    if (!allocation.ending.admitted_at) continue;
    Ending ending = allocation.ending;
    ending.leaving = false;
    const Minute gone = calendar.minute_of(calendar.gone_by(ending));
    if (gone != kNoMinute) add_expiring(in, slot, gone, list);
  }
}

}  // namespace

void add_expiring(const Inputs& in, Slot slot, Minute gone, std::vector<Expiring>& list) {
  const Allocation& allocation = in.state.allocations.allocation(slot);
  for (const FlavorIndex flavor : allocation.charged.flavors.each())
    list.push_back({.gone = gone,
                    .id = in.state.jobs[slot].id,
                    .slot = slot,
                    .queue = allocation.queue,
                    .flavor = flavor,
                    .amounts = allocation.charged.in(flavor)});
}

const std::vector<Expiring>& ExpiringLists::of_tree(const Inputs& in, const Tried& tried, QueueIndex root) {
  auto& list = by_root_[root];
  if (list) return *list;
  list.emplace();
  std::vector<QueueIndex> queues;
  std::size_t most = 0;
  for (const QueueIndex queue : indices<QueueIndex>(by_root_.size())) {
    if (in.state.quota.root(queue) != root) continue;
    queues.push_back(queue);
    most += in.state.allocations.of_queue(queue).size();
  }
  list->reserve(most);
  for (const QueueIndex queue : queues) add_of_queue(in, tried, queue, *list);
  std::ranges::sort(*list, {}, &Expiring::order);
  return *list;
}

}  // namespace ym::engine
