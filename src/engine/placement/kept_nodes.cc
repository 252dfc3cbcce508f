#include "engine/placement/kept_nodes.h"

#include <tuple>

#include "base/assert.h"

namespace ym::engine {

void KeptNodes::keep(Index node, Index by, const NodeNeed& task) {
  if (asked_.empty()) asked_.resize(keepers_.size());
  keepers_[node] = std::min(keepers_[node], by);
  std::vector<Asked>& asked = asked_[node];
  Asked next = asked.empty() ? Asked{} : asked.back();
  next.cpus = std::max(next.cpus, task.cpus);
  next.memory = std::max(next.memory, task.memory);
  next.gpus = next.gpus && task.asks_for_devices();
  const auto what = [](const Asked& one) { return std::tuple(one.cpus, one.memory, one.gpus); };
  if (!asked.empty() && what(asked.back()) == what(next)) return;
  YM_ASSERT(asked.empty() || asked.back().up_to <= by);
  next.up_to = by;
  asked.push_back(next);
}

Index KeptNodes::keeper(const Inventory& inventory, const Stays& stays, Index node, const NodeNeed& task) const {
  if (keepers_[node] == kNone || task.asks_for_devices()) return keepers_[node];
  std::int64_t cpus = inventory.cpus[node] - inventory.held.cpus[node] - task.cpus;
  std::int64_t memory = inventory.memory[node] - inventory.held.memory[node] - task.memory;
  for (const Stay& stay : stays.on_node(node)) {
    if (stay.bits != 0) continue;
    cpus -= stay.cpus;
    memory -= stay.memory;
  }
  const auto first = std::ranges::find_if(
      asked_[node], [&](const Asked& one) { return !one.gpus || one.cpus > cpus || one.memory > memory; });
  return first == asked_[node].end() ? kNone : first->up_to;
}

}  // namespace ym::engine
