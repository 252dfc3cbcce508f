#include "engine/preemption/target_books.h"

#include <algorithm>
#include <tuple>

#include "engine/quota/demand.h"

namespace ym::engine {

const FlavorPart& Demand::largest() const {
  return *std::max_element(begin(), end(), [](const FlavorPart& a, const FlavorPart& b) {
    const auto size = [](const FlavorPart& part) {
      return std::tuple(part.amounts[ResourceKind::gpus], part.amounts[ResourceKind::cpus],
                        part.amounts[ResourceKind::memory]);
    };
    return size(a) < size(b);
  });
}

TargetBooks::TargetBooks(const State::Impl& state)
    : quota_(state.quota.unused()), left_(state.inventory.flavor_names.size()) {
  const Inventory& inventory = state.inventory;
  for (const NodeIndex node : indices<NodeIndex>(inventory.rows.size()))
    if (inventory.rows[node] && inventory.in_service(node) && inventory.flavor_of[node] != kNone)
      left_[inventory.flavor_of[node]] += inventory.size_of(node);
}

bool TargetBooks::cover(QueueIndex queue, const Demand& demand, Counts counts) const {
  return std::all_of(demand.begin(), demand.end(), [&](const FlavorPart& part) {
    return (counts == Counts::machines || has_quota(queue, part)) && (counts == Counts::quota || has_machines(part));
  });
}

void TargetBooks::charge(QueueIndex queue, const Demand& demand, Counts counts) {
  for (const FlavorPart& part : demand) {
    if (counts != Counts::machines) quota_.add(queue, part.flavor, part.amounts);
    if (counts != Counts::quota) left_[part.flavor] -= part.amounts;
  }
}

bool TargetBooks::has_machines(const FlavorPart& part) const {
  return std::ranges::all_of(kKindsByWeight, [&](ResourceKind kind) {
    return part.amounts[kind] == 0 || left_[part.flavor][kind] >= part.amounts[kind];
  });
}

bool TargetBooks::has_quota(QueueIndex queue, const FlavorPart& part) const {
  return std::ranges::all_of(kKindsByWeight, [&](ResourceKind kind) {
    const std::int64_t amount = part.amounts[kind];
    return amount == 0 || !quota_.limited(queue, part.flavor, kind) ||
           quota_.available(queue, part.flavor, kind).amount >= amount;
  });
}

}  // namespace ym::engine
