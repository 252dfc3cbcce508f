// Placement as Tiresias and Optimus have it in the artifact of Pollux (Qiao et al., OSDI 2021): on the node with most
// free GPUs first, then on the next.
#pragma once

#include <vector>

#include "papers/elastic/layout.h"

namespace ym::sim::elastic {

class FreeNodes {
 public:
  explicit FreeNodes(const Cluster& cluster) : free_(cluster.nodes, cluster.gpus_per_node) {}

  // Precondition: it holds what is still free.
  void take(const Allocation& allocation);
  // The most free node each time, of equal ones the first. Precondition: so many GPUs are free.
  Allocation give(Count gpus);

 private:
  std::vector<Count> free_;  // GPUs by node
};

}  // namespace ym::sim::elastic
