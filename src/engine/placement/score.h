// What it costs to take a node: by each of the ways in which a site can have nodes chosen.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/placement/fgd.h"
#include "engine/placement/node_room.h"
#include "engine/state/inventory.h"
#include "engine/state/workload.h"
#include "model/scoring.h"

namespace ym::engine {

// Smaller is better, the first part first. What is free before the task is there orders like what is left
// afterwards, since all nodes lose the same.
struct NodeCost {
  std::int64_t wasted = 0;  // GPU nodes under work without GPUs; GPUs broken up for a share
  std::int64_t score = 0;   // of the way
  std::int64_t size = 0;    // devices of the profile that the node has, free or not, where it counts
  std::int64_t gpus = 0, cpus = 0, memory = 0;  // GPUs and CPUs in thousandths
  auto operator<=>(const NodeCost&) const = default;

  NodeCost& operator+=(const NodeCost& other) {
    wasted += other.wasted;
    score += other.score;
    size += other.size;
    gpus += other.gpus;
    cpus += other.cpus;
    memory += other.memory;
    return *this;
  }
};

class Scorer {
 public:
  Scorer(Scoring scoring, const Workload& workload, const Inventory& inventory);

  // Precondition: the node has room for the task then.
  NodeCost cost(const Inventory& inventory, const NodeNeed& need, NodeIndex node, When when) const;

  // Which of the node's devices a task gets that shares one, as its place in the inventory: that which costs least,
  // of equal ones the fullest (the emptiest where jobs are spread), then the first.
  // Precondition: the node has room for the task then.
  std::size_t device_to_share(const Inventory& inventory, const NodeNeed& need, NodeIndex node, When when) const;

 private:
  struct Sharing;
  Sharing share(const Inventory& inventory, const NodeNeed& need, NodeIndex node, When when) const;
  template <class Size, class Left>
  NodeCost cost_of(NodeIndex node, ProfileIndex profile, Size size, const NodeRoom& free, Left left) const;
  std::int64_t fragmentation(NodeIndex node, ProfileIndex profile, const NodeRoom& size, const NodeRoom& free,
                             const NodeRoom& left) const;
  std::int64_t gpu_cost(NodeIndex node, ProfileIndex profile) const {
    return gpu_costs_.empty() || profile != kNone ? 0 : gpu_costs_[node];
  }

  Scoring scoring_;
  IndexedVector<NodeIndex, std::int64_t> gpu_costs_;  // by pressure; none: nothing
  std::vector<Fragmentation> fragmentations_;         // by profile; none if that is not the way
  // No GPU is broken up for a share while another will do. By fragments that is weighed, unless nobody there is wants
  // whole GPUs: what they are worth cannot be told then.
  bool keeps_whole_ = false;
};

// The ways beside that. Each says of a node that has room what taking it costs; `free`: before it is taken. `size`: of
// the node when it is empty.
std::int64_t pack_score(const NodeRoom& size, const NodeRoom& free);
NodeCost best_fit_cost(const NodeRoom& free);
NodeCost spread_cost(const NodeRoom& size, const NodeRoom& free);

}  // namespace ym::engine
