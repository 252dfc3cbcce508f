// The cost of taking a node, for each placement policy that a site can set.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/placement/fgd.h"
#include "engine/placement/node_room.h"
#include "engine/state/nodes/inventory.h"
#include "engine/state/workload.h"
#include "model/scoring.h"

namespace ym::engine {

// Smaller is better, the first field first. What is free before the task is there orders nodes as what is left
// afterwards, since all nodes lose the same.
struct NodeCost {
  std::int64_t wasted = 0;  // GPU nodes under work without GPUs; whole GPUs broken up for a share
  std::int64_t score = 0;   // of the policy
  std::int64_t size = 0;    // devices of the profile that the node has, free or not, where that counts
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

  // Precondition: at that time the node has room for the task.
  NodeCost cost(const Inventory& inventory, const NodeNeed& need, NodeIndex node, When when) const;

  // The device that a task gets which shares one: the cheapest, of equal ones the fullest (the emptiest with `spread`),
  // then the first. Precondition: at that time the node has room for the task.
  DeviceIndex device_to_share(const Inventory& inventory, const NodeNeed& need, NodeIndex node, When when) const;

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
  IndexedVector<NodeIndex, std::int64_t> gpu_costs_;  // by pressure; empty: no cost
  std::vector<Fragmentation> fragmentations_;         // by profile; empty for other policies
  // No whole GPU is broken up for a share while another will do. With `fgd` the score decides that, unless no task
  // wants whole GPUs: then their worth is unknown.
  bool keeps_whole_ = false;
};

// The other policies: the cost of a node that has room. `free`: before it is taken. `size`: of the empty node.
std::int64_t pack_score(const NodeRoom& size, const NodeRoom& free);
NodeCost best_fit_cost(const NodeRoom& free);
NodeCost spread_cost(const NodeRoom& size, const NodeRoom& free);

}  // namespace ym::engine
