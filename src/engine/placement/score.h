// What it costs to take a node: by each of the ways in which a site can have nodes chosen.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "engine/state/inventory.h"
#include "engine/state/workload.h"
#include "model/scoring.h"

namespace ym::engine {

// Smaller is better, the first part first. What is free before the task is there orders like what is left
// afterwards, since all nodes lose the same.
struct NodeCost {
  std::int64_t wasted = 0;  // GPU nodes under work without GPUs
  std::int64_t score = 0;   // of the way
  std::int64_t gpus = 0, cpus = 0, memory = 0;
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

class Scorer {
 public:
  Scorer(Scoring scoring, const Workload& workload);

  // Precondition: the node has room for the task then.
  NodeCost cost(const Inventory& inventory, const NodeNeed& need, Index node, When when) const;

 private:
  Scoring scoring_;
  std::vector<TaskType> types_;
};

// What is free on a node: GPUs, CPUs, memory.
NodeNeed free_of(const Inventory& inventory, Index node, When when);

// The ways. Each says of a node that has room what taking it costs; `free`: before it is taken.
// `size`: of the node when it is empty.
std::int64_t fgd_score(const std::vector<TaskType>& types, const NodeNeed& size, const NodeNeed& free,
                       const NodeNeed& need);
std::int64_t pack_score(const NodeNeed& size, const NodeNeed& free);
NodeCost best_fit_cost(const NodeNeed& free);
NodeCost spread_cost(const NodeNeed& size, const NodeNeed& free);

}  // namespace ym::engine
