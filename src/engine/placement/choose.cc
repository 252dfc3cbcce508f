#include "engine/placement/choose.h"

#include <utility>

#include "engine/placement/find_nodes.h"
#include "engine/placement/task_order.h"

namespace ym::engine {
namespace {

// The first `count` of the bits set in `free`, in the order of the inventory.
std::uint64_t lowest_devices(std::uint64_t free, std::int64_t count) {
  std::uint64_t taken = 0;
  for (; count > 0; --count) {
    const std::uint64_t lowest = free & (~free + 1);
    taken |= lowest;
    free ^= lowest;
  }
  return taken;
}

}  // namespace

std::optional<Choice> choose(const Inventory& inventory, const Scorer& scorer, const Flavors& flavors,
                             const GangNeed& need, const Access& access, When when, std::span<const NodeIndex> had) {
  auto nodes = find_nodes(inventory, scorer, flavors, need, access, when);
  if (!nodes) return std::nullopt;
  order_by_task(inventory.topology, flavors, need, nodes->nodes, had);
  Choice choice{.nodes = std::move(*nodes), .devices = {}};
  for (const NodeIndex node : choice.nodes.nodes) {
    const NodeNeed& task = need.part_at(TaskIndex(choice.devices.size())).task;
    choice.devices.push_back(task.shares() ? device_bit(scorer.device_to_share(inventory, task, node, when))
                                           : lowest_devices(inventory.free_devices(node, task, when), task.devices));
  }
  return choice;
}

std::vector<TaskPlacement> placement_of(const Inventory& inventory, const std::vector<NodeIndex>& nodes,
                                        const std::vector<std::uint64_t>& devices) {
  std::vector<TaskPlacement> placement;
  for (std::size_t task = 0; task < nodes.size(); ++task) {
    const Node& node = *inventory.rows[nodes[task]];
    TaskPlacement placed{.task = static_cast<std::int32_t>(task), .node = node.name, .devices = {}};
    for (std::size_t i = 0; i < node.devices.size(); ++i)
      if ((devices[task] >> i & 1U) != 0) placed.devices.push_back(node.devices[i].id);
    placement.push_back(std::move(placed));
  }
  return placement;
}

}  // namespace ym::engine
