#include "engine/explain/capacity.h"

#include <algorithm>
#include <bit>

#include "engine/state/nodes/slices.h"

namespace ym::engine {
namespace {

struct NodeFree {
  ResourceVector all;
  Part part{};  // the largest share of one GPU that is free
};

// What is free on a node for the task; `of_whole`: for tasks that take whole GPUs.
NodeFree free_for(const Inventory& inventory, const Task& task, NodeIndex node, const ResourceVector& of_whole) {
  NodeFree free{.all = of_whole};
  const NodeNeed need = NodeNeed::of(task);
  auto& gpus = free.all[ResourceKind::gpus];
  if (need.shares() || need.profile != kNone) gpus = inventory.free_gpus(node, task, When::now);
  if (need.shares()) free.part = inventory.largest_part(node, When::now);
  return free;
}

// Counts a node on which something is free. Where many jobs wait, most nodes have nothing free and are counted in bulk.
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

// Counts full nodes: they have enough of kinds that the task does not ask for, and of no other.
void count_in_full(FreeNow& counted, const Shape& shape, std::int64_t nodes) {
  counted.fitting += shape.task == Task{} ? static_cast<std::size_t>(nodes) : 0;
  for (std::size_t kind = 0; kind < kResourceKinds; ++kind)
    if (shape.task.amounts[kind] == 0) counted.enough.amounts[kind] += nodes;
}

}  // namespace

FreeMachines::FreeMachines(const Inputs& in)
    : in_(in), of_whole_(in.state.inventory.rows.size()), may_be_some_(of_whole_.size()) {
  const Inventory& inventory = in.state.inventory;
  for (const NodeIndex node : indices<NodeIndex>(of_whole_.size())) {
    ResourceVector& free = of_whole_[node];
    free[ResourceKind::gpus] = std::popcount(inventory.free_devices(node) & inventory.of_profile(node, kNone)) * kMilli;
    free[ResourceKind::cpus] = std::max<std::int64_t>(0, inventory.free_cpus(node));
    free[ResourceKind::memory] = std::max<std::int64_t>(0, inventory.free_memory(node));
    may_be_some_[node] = free != ResourceVector{} || !inventory.is_plain(node);
  }
}

FreeNow FreeMachines::count(const Shape& shape, const std::vector<NodeIndex>& large) const {
  const Inventory& inventory = in_.state.inventory;
  const NodeNeed need = NodeNeed::of(shape.task);
  FreeNow counted;
  std::int64_t full = 0;  // nodes on which nothing is free
  std::vector<NodeIndex> fitting;
  for (const NodeIndex node : large) {
    counted.cluster = inventory.cluster[node];
    if (inventory.up[node] == 0) {
      counted.drained += 1;
      continue;
    }
    const NodeFree here = may_be_some_[node] != 0 ? free_for(inventory, shape.task, node, of_whole_[node]) : NodeFree{};
    if (here.all == ResourceVector{}) {
      full += 1;
      continue;
    }
    const bool fits = inventory.has_free(node, need);
    count_in(counted, here, shape, fits);
    if (fits && shape.levels.slice != kNone) fitting.push_back(node);
  }
  count_in_full(counted, shape, full);
  if (shape.levels.slice != kNone) counted.fitting = usable(inventory.topology, shape.levels, fitting);
  return counted;
}

const IndexedVector<PoolIndex, FreeNow>& FreeMachines::by_pool(const Shape& shape, FlavorIndex flavor) {
  const Levels& levels = shape.levels;
  auto& pools = known_[{flavor, shape.rule, levels.required, levels.slice, levels.slice_nodes, shape.task}];
  if (pools.empty())
    for (const auto& large : hardware_of(in_, shape, flavor).large) pools.push_back(count(shape, large));
  return pools;
}

CapacityFinding FreeMachines::find(const Shape& shape, FlavorIndex flavor) {
  const IndexedVector<PoolIndex, FreeNow>& pools = by_pool(shape, flavor);
  const Hardware& hardware = hardware_of(in_, shape, flavor);
  CapacityFinding finding{.lack = Lack::cluster, .free = {}, .unavailable = 0};
  const ResourceVector total = shape.total();
  const auto closeness = [&](const FreeNow& one) { return std::pair(one.total.covers(total), one.fitting); };
  for (const PoolIndex pool : pools.indices()) {
    const FreeNow& here = pools[pool];
    if (here.cluster == kNone || hardware.pool_is_large[pool] == 0) continue;
    if (!in_.state.inventory.cluster_available(here.cluster)) {
      finding.unavailable += hardware.large[pool].size();
      continue;
    }
    if (here.fitting >= static_cast<std::size_t>(shape.nodes)) return {.lack = Lack::nothing, .free = here};
    const bool first = finding.free.cluster == kNone;
    if (first || closeness(finding.free) < closeness(here)) finding.free = here;
  }
  if (finding.free.cluster != kNone)
    finding.lack = finding.free.total.covers(total) ? Lack::whole_places : Lack::capacity;
  return finding;
}

bool has_room_together(const Inputs& in, const Tried& tried, const Shape& shape, const Flavors& flavors) {
  const Inventory& inventory = in.state.inventory;
  const Keepers none(inventory.rows.size(), kNone);
  return choose(inventory, in.scorer, flavors, shape.need(), Access(none, tried.reservations, kFleeting)).has_value();
}

Rank node_keeper(const Inputs& in, const Tried& tried, const Shape& shape, FlavorIndex flavor) {
  Rank first = kNone;
  if (!tried.kept_nodes.any()) return first;
  // A node that can serve a task could hold it when empty.
  const Hardware& hardware = hardware_of(in, shape, flavor);
  const NodeNeed task = shape.need().task;
  const Inventory& inventory = in.state.inventory;
  for (const PoolIndex pool : hardware.serving.indices())
    if (hardware.pool_is_large[pool] != 0)
      for (const NodeIndex node : hardware.serving[pool])
        first = std::min(first, tried.kept_nodes.keeper(inventory, in.state.allocations, node, task));
  return first;
}

}  // namespace ym::engine
