#include "engine/state/nodes/hardware.h"

#include <algorithm>

#include "engine/state/nodes/slices.h"

namespace ym::engine {
namespace {

Hardware find(const Inventory& inventory, const GangNeed& need, FlavorIndex flavor) {
  Hardware found;
  for (const Pool& pool : inventory.pools(flavor, need.levels)) {
    std::vector<NodeIndex>& large = found.large[found.large.emplace_back()];
    std::vector<NodeIndex>& serving = found.serving[found.serving.emplace_back()];
    for (const NodeIndex node : pool.nodes) {
      if (!inventory.matches(need.rule, node)) continue;
      found.matching += 1;
      if (inventory.large_enough(node, need.task)) large.push_back(node);
      if (inventory.can_serve(node, need.task)) serving.push_back(node);
    }
    const std::size_t possible = usable(inventory.topology, need.levels, large);
    const bool can_serve = usable(inventory.topology, need.levels, serving) >= need.nodes;
    found.possible = std::max(found.possible, possible);
    found.pool_is_large.push_back(possible >= need.nodes);
    found.pool_can_serve.push_back(can_serve);
    found.can_serve = found.can_serve || can_serve;
  }
  return found;
}

}  // namespace

const Hardware& HardwareBook::of(const Inventory& inventory, const GangNeed& need, NeedIndex index,
                                 FlavorIndex flavor) {
  if (as_of_ != inventory.changes()) found_.clear();
  as_of_ = inventory.changes();
  found_.grow_to(index);
  auto& flavors = found_[index];
  flavors.grow_to(flavor);
  if (!flavors[flavor]) flavors[flavor] = find(inventory, need, flavor);
  return *flavors[flavor];
}

void HardwareBook::forget(NeedIndex index) {
  if (found_.has(index)) found_[index].clear();
}

}  // namespace ym::engine
