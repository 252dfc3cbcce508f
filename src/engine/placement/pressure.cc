#include "engine/placement/pressure.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <tuple>

namespace ym::engine {
namespace {

struct Insisting {
  const NodeRule* rule = nullptr;
  RuleIndex index = kNone;
  std::int64_t wanted = 0;  // thousandths of GPUs
};

bool says_which(const NodeRule& rule) { return !rule.gpu_types.empty() || !rule.select.empty(); }

// The rules with the largest demand; of equal ones the first by content.
std::vector<Insisting> heaviest(const Workload& workload, const Inventory& inventory) {
  std::vector<Insisting> all;
  for (const auto& [index, wanted] : workload.gpus_by_rule())
    if (const NodeRule& rule = inventory.rule(index); says_which(rule))
      all.push_back({.rule = &rule, .index = index, .wanted = wanted});
  const auto before = [](const Insisting& a, const Insisting& b) {
    return std::tie(b.wanted, *a.rule) < std::tie(a.wanted, *b.rule);
  };
  const auto end = all.begin() + static_cast<std::ptrdiff_t>(std::min(all.size(), kMostRules));
  std::ranges::partial_sort(all, end, before);
  all.erase(end, all.end());
  return all;
}

// By node: thousandths of whole GPUs that would be free now if nothing ran there.
IndexedVector<NodeIndex, std::int64_t> gpus_in_service(const Inventory& inventory) {
  IndexedVector<NodeIndex, std::int64_t> gpus(inventory.rows.size());
  for (const NodeIndex node : indices<NodeIndex>(gpus.size()))
    if (inventory.in_service(node))
      gpus[node] = kMilli * std::popcount(inventory.of_profile(node, kNone) & inventory.healthy[node]);
  return gpus;
}

}  // namespace

IndexedVector<NodeIndex, std::int64_t> pressure_costs(const Workload& workload, const Inventory& inventory) {
  const auto rules = heaviest(workload, inventory);
  if (rules.empty()) return {};
  const auto gpus = gpus_in_service(inventory);
  const std::int64_t all = std::accumulate(gpus.begin(), gpus.end(), std::int64_t{0});
  IndexedVector<NodeIndex, std::int64_t> costs(gpus.size());
  for (const Insisting& one : rules) {
    std::int64_t admitted = 0;
    inventory.for_each_match(one.index, [&](NodeIndex node) { admitted += gpus[node]; });
    // A rule that admits all nodes or none causes no pressure.
    if (admitted == 0 || admitted == all) continue;
    const std::int64_t cost = std::min(one.wanted, admitted) * kMostPressure / admitted;
    inventory.for_each_match(one.index,
                             [&](NodeIndex node) { costs[node] = std::min(kMostPressure, costs[node] + cost); });
  }
  return costs;
}

}  // namespace ym::engine
