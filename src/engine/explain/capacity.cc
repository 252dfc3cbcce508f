#include "engine/explain/capacity.h"

#include <algorithm>
#include <bit>

#include "engine/state/slices.h"

namespace ym::engine {
namespace {

// Calls `each` for the nodes of the flavor that can hold a task when empty, pool by pool.
template <class Each>
void for_each_large(Cycle& cycle, const Shape& shape, Index flavor, Each each) {
  const Hardware& hardware = hardware_of(cycle, shape, flavor);
  for (std::size_t pool = 0; pool < hardware.large.size(); ++pool)
    if (hardware.pool_is_large[pool])
      for (const Index node : hardware.large[pool]) each(pool, node);
}

struct NodeFree {
  ResourceVector all;
  Part part{};  // the most that somebody could have who shares a device
};

// Of a node for the shape, given what whole tasks could have of it.
NodeFree free_for(const Inventory& inventory, const Task& task, Index node, const ResourceVector& of_whole) {
  NodeFree free{.all = of_whole};
  const NodeNeed need = NodeNeed::of(task);
  auto& gpus = free.all[ResourceKind::gpus];
  if (need.shares() || need.profile != kNone) gpus = inventory.free_gpus(node, task, When::now);
  if (need.shares()) free.part = inventory.largest_part(node, When::now);
  return free;
}

// Of a node on which something is free, as most have nothing where many wait.
void count_in(FreeNow& counted, const NodeFree& free, const Shape& shape, bool fits) {
  counted.fitting += fits;
  counted.largest_gpu_memory = std::max(counted.largest_gpu_memory, free.part.memory);
  for (std::size_t kind = 0; kind < kResourceKinds; ++kind) {
    const std::int64_t here = free.all.amounts[kind];
    const bool in_parts = shape.task.part.milli > 0 && kind == static_cast<std::size_t>(ResourceKind::gpus);
    const std::int64_t together = in_parts ? free.part.milli : here;
    counted.total.amounts[kind] += here;
    counted.largest.amounts[kind] = std::max(counted.largest.amounts[kind], together);
    counted.enough.amounts[kind] += together >= shape.task.amounts[kind];
  }
}

// Enough of what is not asked for, of nothing else.
void count_in_full(FreeNow& counted, const Shape& shape, std::int64_t nodes) {
  counted.fitting += shape.task == Task{} ? static_cast<std::size_t>(nodes) : 0;
  for (std::size_t kind = 0; kind < kResourceKinds; ++kind)
    if (shape.task.amounts[kind] == 0) counted.enough.amounts[kind] += nodes;
}

}  // namespace

FreeByNode::FreeByNode(const Inventory& inventory)
    : of_whole(inventory.rows.size()), may_be_some(inventory.rows.size()) {
  for (Index node = 0; node < of_whole.size(); ++node) {
    ResourceVector& free = of_whole[node];
    free[ResourceKind::gpus] = std::popcount(inventory.free_devices(node) & inventory.of_profile(node, kNone)) * kMilli;
    free[ResourceKind::cpus] = std::max<std::int64_t>(0, inventory.free_cpus(node));
    free[ResourceKind::memory] = std::max<std::int64_t>(0, inventory.free_memory(node));
    may_be_some[node] = free != ResourceVector{} || !inventory.is_plain(node);
  }
}

CapacityFinding find_capacity(Cycle& cycle, const Shape& shape, Index flavor, const FreeByNode& free) {
  const NodeNeed need = NodeNeed::of(shape.task);
  const Inventory& inventory = cycle.state.inventory;
  const auto pools = inventory.pools(flavor, shape.levels);
  std::vector<FreeNow> by_pool(pools.size());
  std::vector<std::int64_t> full(pools.size());  // nodes on which nothing is free
  std::vector<std::vector<Index>> fitting(pools.size());
  CapacityFinding finding{.lack = Lack::cluster, .free = {}, .unavailable = 0};
  for_each_large(cycle, shape, flavor, [&](std::size_t pool, Index node) {
    if (!inventory.cluster_available(pools[pool].cluster)) {
      finding.unavailable += 1;
      return;
    }
    by_pool[pool].cluster = pools[pool].cluster;
    if (!inventory.up[node]) by_pool[pool].drained += 1;
    else if (free.may_be_some[node] == 0) full[pool] += 1;
    else if (const NodeFree here = free_for(inventory, shape.task, node, free.of_whole[node]);
             here.all == ResourceVector{})
      full[pool] += 1;
    else {
      const bool fits = inventory.has_free(node, need);
      count_in(by_pool[pool], here, shape, fits);
      if (fits && shape.levels.slice != kNone) fitting[pool].push_back(node);
    }
  });
  for (std::size_t pool = 0; pool < pools.size(); ++pool) {
    count_in_full(by_pool[pool], shape, full[pool]);
    if (shape.levels.slice != kNone) by_pool[pool].fitting = usable(inventory.topology, shape.levels, fitting[pool]);
  }
  const ResourceVector total = shape.total();
  const auto closeness = [&](const FreeNow& one) { return std::pair(one.total.covers(total), one.fitting); };
  for (const FreeNow& here : by_pool) {
    if (here.cluster == kNone) continue;
    if (here.fitting >= static_cast<std::size_t>(shape.nodes)) return {.lack = Lack::nothing, .free = here};
    const bool first = finding.free.cluster == kNone;
    if (first || closeness(finding.free) < closeness(here)) finding.free = here;
  }
  if (finding.free.cluster != kNone)
    finding.lack = finding.free.total.covers(total) ? Lack::whole_places : Lack::capacity;
  return finding;
}

bool has_room_together(const Cycle& cycle, const Shape& shape, const Flavors& flavors) {
  const Inventory& inventory = cycle.state.inventory;
  const std::vector<Index> nobody(inventory.rows.size(), kNone);
  return choose(inventory, cycle.scorer, flavors, shape.need(), Access(nobody, cycle.reservations, kFleeting))
      .has_value();
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
