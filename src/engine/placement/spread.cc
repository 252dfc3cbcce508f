// Spread: the node of which the smallest part is in use, then the one with most left: jobs that share a node
// share its network, disk and fate.
#include "engine/placement/score.h"

namespace ym::engine {

NodeCost spread_cost(const NodeRoom& size, const NodeRoom& free) {
  return {.score = -pack_score(size, free), .gpus = -free.gpus(), .cpus = -free.cpus, .memory = -free.memory};
}

}  // namespace ym::engine
