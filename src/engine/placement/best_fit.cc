#include "engine/placement/best_fit.h"

#include <algorithm>
#include <bit>
#include <compare>
#include <cstdint>

namespace ym::engine {
namespace {

// What taking a node, or several, costs: smaller is better. What is free before orders like
// what is left afterwards, since all candidates lose the same.
struct Cost {
  std::int64_t wasted = 0;  // GPU nodes under work without GPUs
  std::int64_t gpus = 0, cpus = 0, memory = 0;
  auto operator<=>(const Cost&) const = default;

  Cost& operator+=(const Cost& other) {
    wasted += other.wasted;
    gpus += other.gpus;
    cpus += other.cpus;
    memory += other.memory;
    return *this;
  }
};

// A node that has room. No two are equal.
struct Candidate {
  Cost cost;
  std::size_t place = 0;  // in the pool, which is by name
  auto operator<=>(const Candidate&) const = default;
};

Cost cost_of(const Inventory& inventory, const NodeNeed& need, Index node, When when) {
  return {.wasted = need.devices == 0 && inventory.devices[node] != 0,
          .gpus = std::popcount(inventory.free_devices(node, when)),
          .cpus = inventory.free_cpus(node, when),
          .memory = inventory.free_memory(node, when)};
}

// The nodes to take; fewer than needed if the pool has no room.
std::vector<Candidate> best_of(const Inventory& inventory, const Pool& pool, const GangNeed& need, const Access& access,
                               When when) {
  std::vector<Candidate> found;
  if (pool.nodes.size() < need.nodes || !inventory.cluster_available(pool.cluster)) return found;
  for (std::size_t i = 0; i < pool.nodes.size(); ++i) {
    const Index node = pool.nodes[i];
    // What fails most often is asked first.
    if (need.task.devices > 0 && inventory.free_devices(node, when) == 0) continue;
    if (access.is_kept(node) || !inventory.up[node] || !inventory.matches(need.rule, node)) continue;
    if (!inventory.has_free(node, need.task, when) || !access.allows(node, need.task)) continue;
    const Candidate candidate{.cost = cost_of(inventory, need.task, node, when), .place = i};
    if (need.nodes > 1 || found.empty()) found.push_back(candidate);
    else found.front() = std::min(found.front(), candidate);
  }
  if (found.size() > need.nodes) {
    std::ranges::nth_element(found, found.begin() + static_cast<std::ptrdiff_t>(need.nodes));
    found.resize(need.nodes);
  }
  return found;
}

}  // namespace

std::optional<Nodes> best_fit(const Inventory& inventory, Index flavor, const GangNeed& need, const Access& access,
                              When when) {
  std::optional<Nodes> best;
  Cost least;
  for (const Pool& pool : inventory.pools(flavor)) {
    auto found = best_of(inventory, pool, need, access, when);
    if (found.size() < need.nodes) continue;
    Cost cost;
    for (const Candidate& candidate : found) cost += candidate.cost;
    if (best && least <= cost) continue;
    least = cost;
    best = Nodes{.cluster = pool.cluster, .nodes = {}};
    std::ranges::sort(found, {}, &Candidate::place);
    for (const Candidate& candidate : found) best->nodes.push_back(pool.nodes[candidate.place]);
  }
  return best;
}

}  // namespace ym::engine
