#include "engine/preemption/node_costs.h"

#include <algorithm>
#include <bit>
#include <compare>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>

namespace ym::engine {
namespace {

// A candidate's part of a node.
struct Share {
  std::size_t candidate = 0;
  std::uint64_t devices = 0;
  NodeNeed need;
};

struct Room {
  std::int64_t devices = 0, cpus = 0, memory = 0;

  void change(const Share& share, std::uint64_t healthy, std::int64_t by) {
    devices += by * std::popcount(share.devices & healthy);
    cpus += by * share.need.cpus;
    memory += by * share.need.memory;
  }
  bool suffices(const NodeNeed& need) const {
    return devices >= need.devices && (need.cpus == 0 || cpus >= need.cpus) &&
           (need.memory == 0 || memory >= need.memory);
  }
};

// What clearing a node costs.
struct Cost {
  std::int32_t highest = 0;
  __int128 lost = 0;
  std::size_t count = 0;
  auto operator<=>(const Cost&) const = default;
};

struct Clearing {
  Cost cost;
  std::size_t place = 0;  // of the node in its pool
  std::vector<std::size_t> candidates{};
};

// Who has to leave the node; nothing: it is not enough that all do.
std::optional<std::vector<std::size_t>> leavers(const Inventory& inventory, Index node, const NodeNeed& need,
                                                std::span<const Share> shares) {
  Room room{.devices = std::popcount(inventory.free_devices(node, When::later)),
            .cpus = inventory.free_cpus(node, When::later),
            .memory = inventory.free_memory(node, When::later)};
  const std::uint64_t healthy = inventory.healthy[node];
  std::size_t gone = 0;
  for (; gone < shares.size() && !room.suffices(need); ++gone) room.change(shares[gone], healthy, 1);
  if (!room.suffices(need)) return std::nullopt;
  std::vector<std::size_t> needed;
  while (gone-- > 0) {
    room.change(shares[gone], healthy, -1);
    if (room.suffices(need)) continue;
    room.change(shares[gone], healthy, 1);
    needed.push_back(shares[gone].candidate);
  }
  return needed;
}

// The candidates' parts of each node, in their order.
class Shares {
 public:
  Shares(std::size_t nodes, const std::vector<const Running*>& candidates) : first_(nodes + 1) {
    for (const Running* candidate : candidates)
      for (const LiveTask& task : candidate->place->tasks) first_[task.node + 1] += 1;
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    all_.resize(first_.back());
    auto next = first_;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const Footprint& place = *candidates[i]->place;
      for (const LiveTask& task : place.tasks)
        all_[next[task.node]++] = {.candidate = i, .devices = task.bits, .need = NodeNeed::of(place.task)};
    }
  }

  std::span<const Share> of(Index node) const {
    return std::span(all_).subspan(first_[node], first_[node + 1] - first_[node]);
  }

 private:
  std::vector<std::size_t> first_;  // by node: where its part of `all_` begins
  std::vector<Share> all_;
};

Cost cost_of(const std::vector<std::size_t>& leaving, const std::vector<const Running*>& candidates) {
  Cost cost{.highest = -1, .lost = 0, .count = leaving.size()};
  for (const std::size_t i : leaving) {
    cost.highest = std::max(cost.highest, candidates[i]->row->priority);
    cost.lost += candidates[i]->lost_gpu_ms;
  }
  return cost;
}

}  // namespace

std::optional<std::vector<bool>> cheapest_to_clear(const Cycle& cycle, const Shape& shape, const Pool& pool,
                                                   const std::vector<const Running*>& candidates) {
  const Inventory& inventory = cycle.state.inventory;
  const GangNeed need = shape.need();
  const Shares shares(inventory.rows.size(), candidates);
  std::vector<Clearing> clearings;
  for (std::size_t place = 0; place < pool.nodes.size(); ++place) {
    const Index node = pool.nodes[place];
    if (cycle.kept_nodes.keepers()[node] != kNone || !inventory.matches(need.rule, node) ||
        !inventory.can_serve(node, need.task))
      continue;
    if (auto leaving = leavers(inventory, node, need.task, shares.of(node)))
      clearings.push_back({.cost = cost_of(*leaving, candidates), .place = place, .candidates = std::move(*leaving)});
  }
  if (clearings.size() < need.nodes) return std::nullopt;
  std::ranges::sort(clearings, {}, [](const Clearing& one) { return std::pair(one.cost, one.place); });
  std::vector<bool> chosen(candidates.size());
  for (std::size_t i = 0; i < need.nodes; ++i)
    for (const std::size_t candidate : clearings[i].candidates) chosen[candidate] = true;
  return chosen;
}

}  // namespace ym::engine
