// What it costs to take a node: by each of the ways in which a site can have nodes chosen.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/state/inventory.h"
#include "engine/state/workload.h"
#include "model/scoring.h"

namespace ym::engine {

// Smaller is better, the first part first. What is free before the task is there orders like what is left
// afterwards, since all nodes lose the same.
struct NodeCost {
  std::int64_t wasted = 0;                      // GPU nodes under work without GPUs; GPUs broken up for a share
  std::int64_t score = 0;                       // of the way
  std::int64_t gpus = 0, cpus = 0, memory = 0;  // GPUs and CPUs in thousandths
  auto operator<=>(const NodeCost&) const = default;

  NodeCost& operator+=(const NodeCost& other) {
    wasted += other.wasted;
    score += other.score;
    gpus += other.gpus;
    cpus += other.cpus;
    memory += other.memory;
    return *this;
  }
};

// What a device that is shared has left for others.
struct SharedDevice {
  std::size_t device = 0;  // place in the node's inventory
  Part free;
};

// What is free of a node, of the devices that are of use for a task of one kind: whole GPUs, or slices of a profile.
struct NodeRoom {
  std::int64_t devices = 0;  // nobody has anything of them
  std::int64_t cpus = 0, memory = 0;
  std::span<const SharedDevice> shared{};
  std::int64_t shared_milli = 0;  // of all of `shared`

  std::int64_t gpus() const { return devices * kMilli + shared_milli; }
};

class Scorer {
 public:
  Scorer(Scoring scoring, const Workload& workload, const Names& profile_names);

  // Precondition: the node has room for the task then.
  NodeCost cost(const Inventory& inventory, const NodeNeed& need, Index node, When when) const;

  // Which of the node's devices a task gets that shares one, as its place in the inventory: that which costs least,
  // of equal ones the fullest (the emptiest where jobs are spread), then the first.
  // Precondition: the node has room for the task then.
  std::size_t device_to_share(const Inventory& inventory, const NodeNeed& need, Index node, When when) const;

 private:
  struct Sharing;
  Sharing share(const Inventory& inventory, const NodeNeed& need, Index node, When when) const;
  NodeCost cost_of(const NodeRoom& size, const NodeRoom& free, const NodeRoom& left, Index profile) const;

  Scoring scoring_;
  std::vector<TaskType> types_;
  // No GPU is broken up for a share while another will do. By fragments that is weighed, unless nobody there is wants
  // whole GPUs: what they are worth cannot be told then.
  bool keeps_whole_ = false;
};

// The ways. Each says of a node that has room what taking it costs; `free`: before it is taken; `left`: after that.
// `size`: of the node when it is empty.
std::int64_t fgd_score(const std::vector<TaskType>& types, Index profile, const NodeRoom& size, const NodeRoom& free,
                       const NodeRoom& left);
std::int64_t pack_score(const NodeRoom& size, const NodeRoom& free);
NodeCost best_fit_cost(const NodeRoom& free);
NodeCost spread_cost(const NodeRoom& size, const NodeRoom& free);

}  // namespace ym::engine
