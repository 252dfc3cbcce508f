#include "engine/explain/capacity.h"

#include <algorithm>
#include <bit>

namespace ym::engine {
namespace {

ResourceVector free_on(const Inventory& inventory, Index node) {
  ResourceVector free;
  free[ResourceKind::gpus] = std::popcount(inventory.free_devices(node)) * kMilli;
  free[ResourceKind::cpus] = std::max<std::int64_t>(0, inventory.free_cpus(node));
  free[ResourceKind::memory] = std::max<std::int64_t>(0, inventory.free_memory(node));
  return free;
}

// Calls `each` for the nodes of the flavor that can hold a task when empty, pool by pool.
template <class Each>
void for_each_large(Cycle& cycle, const Shape& shape, Index flavor, Each each) {
  const Inventory& inventory = cycle.state.inventory;
  const GangNeed need = shape.need();
  const Hardware& hardware = hardware_of(cycle, shape, flavor);
  const auto pools = inventory.pools(flavor);
  for (std::size_t i = 0; i < pools.size(); ++i) {
    if (!hardware.pool_is_large[i]) continue;
    for (const Index node : pools[i].nodes)
      if (inventory.matches(need.rule, node) && inventory.large_enough(node, need.task)) each(i, node);
  }
}

void count_in(FreeNow& free, const Inventory& inventory, const Shape& shape, Index node) {
  if (!inventory.up[node]) {
    free.drained += 1;
    return;
  }
  const ResourceVector here = free_on(inventory, node);
  free.fitting += inventory.has_free(node, NodeNeed::of(shape.task));
  free.total += here;
  for (std::size_t kind = 0; kind < kResourceKinds; ++kind) {
    free.largest.amounts[kind] = std::max(free.largest.amounts[kind], here.amounts[kind]);
    free.enough.amounts[kind] += here.amounts[kind] >= shape.task.amounts[kind];
  }
}

}  // namespace

CapacityFinding find_capacity(Cycle& cycle, const Shape& shape, Index flavor) {
  const Inventory& inventory = cycle.state.inventory;
  const auto pools = inventory.pools(flavor);
  std::vector<FreeNow> by_pool(pools.size());
  CapacityFinding finding{.lack = Lack::cluster, .free = {}, .unavailable = 0};
  for_each_large(cycle, shape, flavor, [&](std::size_t pool, Index node) {
    if (!inventory.cluster_available(pools[pool].cluster)) {
      finding.unavailable += 1;
      return;
    }
    by_pool[pool].cluster = pools[pool].cluster;
    count_in(by_pool[pool], inventory, shape, node);
  });
  const ResourceVector total = shape.total();
  const auto closeness = [&](const FreeNow& free) { return std::pair(free.total.covers(total), free.fitting); };
  for (const FreeNow& free : by_pool) {
    if (free.cluster == kNone) continue;
    if (free.fitting >= static_cast<std::size_t>(shape.nodes)) return {.lack = Lack::nothing, .free = free};
    const bool first = finding.free.cluster == kNone;
    if (first || closeness(finding.free) < closeness(free)) finding.free = free;
  }
  if (finding.free.cluster != kNone)
    finding.lack = finding.free.total.covers(total) ? Lack::whole_places : Lack::capacity;
  return finding;
}

Rank node_keeper(Cycle& cycle, const Shape& shape, Index flavor) {
  Rank first = kNone;
  if (!cycle.kept_nodes.any()) return first;
  const Inventory& inventory = cycle.state.inventory;
  for_each_large(cycle, shape, flavor, [&](std::size_t, Index node) {
    if (inventory.can_serve(node, NodeNeed::of(shape.task))) first = std::min(first, cycle.kept_nodes.keepers()[node]);
  });
  return first;
}

}  // namespace ym::engine
