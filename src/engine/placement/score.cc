#include "engine/placement/score.h"

#include <bit>

namespace ym::engine {
namespace {

// Which of the ways looks at what jobs there are.
std::vector<TaskType> types_for(Scoring scoring, const Workload& workload) {
  return scoring == Scoring::fgd ? workload.types() : std::vector<TaskType>();
}

}  // namespace

NodeNeed free_of(const Inventory& inventory, Index node, When when) {
  return {.devices = std::popcount(inventory.free_devices(node, when)),
          .cpus = inventory.free_cpus(node, when),
          .memory = inventory.free_memory(node, when)};
}

Scorer::Scorer(Scoring scoring, const Workload& workload) : scoring_(scoring), types_(types_for(scoring, workload)) {}

NodeCost Scorer::cost(const Inventory& inventory, const NodeNeed& need, Index node, When when) const {
  const NodeNeed free = free_of(inventory, node, when);
  const auto size = [&] {
    return NodeNeed{.devices = std::popcount(inventory.devices[node]),
                    .cpus = inventory.cpus[node],
                    .memory = inventory.memory[node]};
  };
  NodeCost cost = scoring_ == Scoring::spread ? spread_cost(size(), free) : best_fit_cost(free);
  if (!types_.empty()) cost.score = fgd_score(types_, size(), free, need);
  if (scoring_ == Scoring::pack) cost.score = pack_score(size(), free);
  cost.wasted = need.devices == 0 && inventory.devices[node] != 0;
  return cost;
}

}  // namespace ym::engine
