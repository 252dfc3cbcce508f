#include "engine/placement/pressure.h"

#include <algorithm>
#include <bit>

namespace ym::engine {
namespace {

std::int64_t gpus_of(const Inventory& inventory, Index node) {
  return inventory.up[node] == 0 ? 0 : kMilli * std::popcount(inventory.of_profile(node, kNone));
}

template <class Admits>
std::int64_t capacity(const Inventory& inventory, Admits admits) {
  std::int64_t sum = 0;
  for (Index node = 0; node < inventory.rows.size(); ++node)
    if (admits(node)) sum += gpus_of(inventory, node);
  return sum;
}

bool says_which(const NodeRule& rule) { return !rule.gpu_types.empty() || !rule.select.empty(); }

}  // namespace

std::vector<std::int64_t> pressure_costs(const Workload& workload, const Inventory& inventory) {
  std::vector<std::int64_t> costs;
  for (const auto& [rule, wanted] : workload.gpus_by_rule()) {
    if (!says_which(inventory.rule(rule))) continue;
    const auto admits = [&](Index node) { return inventory.matches(rule, node); };
    const std::int64_t admitted = capacity(inventory, admits);
    // Nobody is kept off those who may go anywhere.
    if (admitted == 0 || admitted == capacity(inventory, [](Index) { return true; })) continue;
    const std::int64_t cost = std::min(wanted, admitted) * kMostPressure / admitted;
    costs.resize(inventory.rows.size());
    for (Index node = 0; node < costs.size(); ++node)
      if (admits(node)) costs[node] = std::min(kMostPressure, costs[node] + cost);
  }
  return costs;
}

}  // namespace ym::engine
