#include "engine/state/hardware.h"

#include <algorithm>

namespace ym::engine {
namespace {

Hardware find(const Inventory& inventory, const GangNeed& need, Index flavor) {
  Hardware found;
  for (const Pool& pool : inventory.pools(flavor, need.levels)) {
    std::vector<Index>& large = found.large.emplace_back();
    std::size_t serving = 0;
    for (const Index node : pool.nodes) {
      if (!inventory.matches(need.rule, node)) continue;
      found.matching += 1;
      if (inventory.large_enough(node, need.task)) large.push_back(node);
      serving += inventory.can_serve(node, need.task);
    }
    found.possible = std::max(found.possible, large.size());
    found.pool_is_large.push_back(large.size() >= need.nodes);
    found.pool_can_serve.push_back(serving >= need.nodes);
    found.can_serve = found.can_serve || serving >= need.nodes;
  }
  return found;
}

}  // namespace

const Hardware& HardwareBook::of(const Inventory& inventory, const GangNeed& need, Index index, Index flavor) {
  if (as_of_ != inventory.changes()) found_.clear();
  as_of_ = inventory.changes();
  if (found_.size() <= index) found_.resize(std::size_t{index} + 1);
  auto& flavors = found_[index];
  if (flavors.size() <= flavor) flavors.resize(std::size_t{flavor} + 1);
  if (!flavors[flavor]) flavors[flavor] = find(inventory, need, flavor);
  return *flavors[flavor];
}

void HardwareBook::forget(Index index) {
  if (index < found_.size()) found_[index].clear();
}

}  // namespace ym::engine
