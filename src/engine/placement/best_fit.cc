#include "engine/placement/best_fit.h"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

namespace ym::engine {
namespace {

// A node that has room, as one number: smaller is better, and no two are equal.
// Bit 63: a GPU node under work without GPUs. Bits 32 to 38: GPUs free now, which orders
// like those left free afterwards. Below: the place in the pool, which is by name.
using Key = std::uint64_t;

constexpr std::uint64_t place_of(Key key) { return key & 0xFFFF'FFFFU; }
// What pools are compared by; sums of it over a gang do not overflow into each other.
constexpr std::pair<std::uint64_t, std::uint64_t> cost_of(Key key) { return {key >> 63, key >> 32 & 0x7FU}; }

Key key_of(const Inventory& inventory, const NodeNeed& need, Index node, std::size_t place) {
  const bool wastes = need.devices == 0 && inventory.devices[node] != 0;
  const auto free = static_cast<std::uint64_t>(std::popcount(inventory.free_devices(node)));
  return (std::uint64_t{wastes} << 63) | (free << 32) | place;
}

// The keys of the nodes to take; fewer than needed if the pool has no room.
std::vector<Key> best_of(const Inventory& inventory, const Pool& pool, const GangNeed& need,
                         const std::vector<Index>& barred) {
  std::vector<Key> keys;
  if (pool.nodes.size() < need.nodes || !inventory.cluster_available(pool.cluster)) return keys;
  for (std::size_t i = 0; i < pool.nodes.size(); ++i) {
    const Index node = pool.nodes[i];
    // What fails most often is asked first.
    if (need.task.devices > 0 && inventory.free_devices(node) == 0) continue;
    if (barred[node] != kNone || !inventory.up[node] || !inventory.matches(need.rule, node)) continue;
    if (!inventory.has_free(node, need.task)) continue;
    const Key key = key_of(inventory, need.task, node, i);
    if (need.nodes > 1 || keys.empty()) keys.push_back(key);
    else keys.front() = std::min(keys.front(), key);
  }
  if (keys.size() > need.nodes) {
    std::ranges::nth_element(keys, keys.begin() + static_cast<std::ptrdiff_t>(need.nodes));
    keys.resize(need.nodes);
  }
  return keys;
}

}  // namespace

std::optional<Choice> best_fit(const Inventory& inventory, Index flavor, const GangNeed& need,
                               const std::vector<Index>& barred) {
  std::optional<Choice> best;
  std::pair<std::uint64_t, std::uint64_t> least{};
  for (const Pool& pool : inventory.pools(flavor)) {
    auto keys = best_of(inventory, pool, need, barred);
    if (keys.size() < need.nodes) continue;
    std::pair<std::uint64_t, std::uint64_t> cost{};
    for (const Key key : keys) {
      cost.first += cost_of(key).first;
      cost.second += cost_of(key).second;
    }
    if (best && least <= cost) continue;
    least = cost;
    best = Choice{.cluster = pool.cluster, .nodes = {}};
    std::ranges::sort(keys, {}, place_of);
    for (const Key key : keys) best->nodes.push_back(pool.nodes[place_of(key)]);
  }
  return best;
}

std::uint64_t lowest_devices(std::uint64_t free, std::int64_t count) {
  std::uint64_t taken = 0;
  for (; count > 0; --count) {
    const std::uint64_t lowest = free & (~free + 1);
    taken |= lowest;
    free ^= lowest;
  }
  return taken;
}

}  // namespace ym::engine
