// Nodes that jobs keep from those behind them (cycle/passing.h).
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "engine/state/inventory.h"
#include "engine/state/stays.h"

namespace ym::engine {

class KeptNodes {
 public:
  explicit KeptNodes(std::size_t nodes) : keepers_(nodes, kNone) {}
  // `by`: the rank of the job, behind all that have kept something. `task`: what it asks of the node.
  void keep(Index node, Index by, const NodeNeed& task);
  bool any() const { return !asked_.empty(); }
  // By node: the first that keeps it; kNone: nobody.
  const std::vector<Index>& keepers() const { return keepers_; }
  // The first that keeps the node from such a task; kNone: nobody. One that asks for GPUs does not keep it from a task
  // without, if there is room for both once all have left that use GPUs: then it is not delayed.
  Index keeper(const Inventory& inventory, const Stays& stays, Index node, const NodeNeed& task) const;

 private:
  // The most that one of the keepers asks for beside GPUs, up to one of them.
  struct Asked {
    Index up_to = kNone;
    std::int64_t cpus = 0, memory = 0;
    bool gpus = true;  // all of them
  };

  std::vector<Index> keepers_;
  std::vector<std::vector<Asked>> asked_;  // by node: where it becomes more; empty while nothing is kept
};

}  // namespace ym::engine
