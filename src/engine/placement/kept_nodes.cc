#include "engine/placement/kept_nodes.h"

#include <algorithm>
#include <bit>
#include <tuple>

#include "base/assert.h"

namespace ym::engine {
namespace {

// How many such tasks could use the GPUs of the node at once; at least one.
std::int64_t most_tasks(const Inventory& inventory, NodeIndex node, const NodeNeed& task) {
  const auto all = std::int64_t{std::popcount(inventory.devices[node] & inventory.of_profile(node, task.profile))};
  return std::max<std::int64_t>(1, task.shares() ? all * (kMilli / task.part.milli) : all / task.ids());
}

}  // namespace

void KeptNodes::keep(const Inventory& inventory, NodeIndex node, Rank by, const NodeNeed& task) {
  if (asked_.empty()) asked_.resize(keepers_.size());
  keepers_[node] = std::min(keepers_[node], by);
  std::vector<Asked>& asked = asked_[node];
  Asked next = asked.empty() ? Asked{} : asked.back();
  next.gpus = next.gpus && task.asks_for_devices();
  const std::int64_t tasks = next.gpus ? most_tasks(inventory, node, task) : 1;
  next.cpus = std::max(next.cpus, tasks * task.cpus);
  next.memory = std::max(next.memory, tasks * task.memory);
  const auto what = [](const Asked& one) { return std::tuple(one.cpus, one.memory, one.gpus); };
  if (!asked.empty() && what(asked.back()) == what(next)) return;
  YM_ASSERT(asked.empty() || asked.back().up_to <= by);
  next.up_to = by;
  asked.push_back(next);
}

// A task with whole GPUs may use as much as the keeper asks for with these GPUs. What it uses beyond that is missing
// until it ends.
bool KeptNodes::is_enough(const Inventory& inventory, const RunningAllocations& allocations, NodeIndex node,
                          const NodeNeed& task, const Asked& asked) {
  if (!asked.gpus) return false;
  const std::int64_t all = std::max(1, std::popcount(inventory.devices[node]));
  std::int64_t cpus = asked.cpus + task.cpus + inventory.held.cpus[node];
  std::int64_t memory = asked.memory + task.memory + inventory.held.memory[node];
  for (const TaskAllocation& occupied : allocations.on_node(node)) {
    const std::int64_t own = occupied.part.milli > 0 ? 0 : std::popcount(occupied.bits);
    cpus += std::max<std::int64_t>(0, occupied.cpus - asked.cpus / all * own);
    memory += std::max<std::int64_t>(0, occupied.memory - asked.memory / all * own);
  }
  return cpus <= inventory.cpus[node] && memory <= inventory.memory[node];
}

Rank KeptNodes::keeper(const Inventory& inventory, const RunningAllocations& allocations, NodeIndex node,
                       const NodeNeed& task) const {
  if (keepers_[node] == kNone || task.asks_for_devices()) return keepers_[node];
  const auto first = std::ranges::find_if(
      asked_[node], [&](const Asked& one) { return !is_enough(inventory, allocations, node, task, one); });
  return first == asked_[node].end() ? Rank{} : first->up_to;
}

}  // namespace ym::engine
