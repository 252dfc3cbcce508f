// Nodes that jobs keep from jobs behind them (cycle/order/blocked_backfill.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/state/nodes/inventory.h"
#include "engine/state/running_allocations.h"

namespace ym::engine {

class KeptNodes {
 public:
  explicit KeptNodes(std::size_t nodes) : keepers_(nodes, kNone) {}
  // `by`: the rank of the job, after all that have kept something. `task`: what it asks of the node.
  void keep(const Inventory& inventory, NodeIndex node, Rank by, const NodeNeed& task);
  bool any() const { return !asked_.empty(); }
  // By node: the first job that keeps it; kNone: none.
  const Keepers& keepers() const { return keepers_; }
  // The first job that keeps the node from such a task, if the task would start there; kNone: none. A job that asks
  // for GPUs does not keep the node from a task without GPUs as long as each GPU of the node still has the CPUs and
  // the memory that the job asks for with it: then the job is not delayed, whichever GPUs become free. What is kept
  // for others counts as in use.
  Rank keeper(const Inventory& inventory, const RunningAllocations& allocations, NodeIndex node,
              const NodeNeed& task) const;

 private:
  // The most that one of the keepers asks for with all GPUs of the node, up to rank `up_to`.
  struct Asked {
    Rank up_to;
    std::int64_t cpus = 0, memory = 0;
    bool gpus = true;  // all keepers ask for GPUs
  };

  static bool is_enough(const Inventory& inventory, const RunningAllocations& allocations, NodeIndex node,
                        const NodeNeed& task, const Asked& asked);

  Keepers keepers_;
  IndexedVector<NodeIndex, std::vector<Asked>> asked_;  // an entry where the amount grows; empty while nothing is kept
};

}  // namespace ym::engine
