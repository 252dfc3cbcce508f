// Spread: the node with the smallest part in use, then the one with most left: jobs on one node share its network,
// disk and failures.
#include "engine/placement/score.h"

namespace ym::engine {

NodeCost spread_cost(const NodeRoom& size, const NodeRoom& free) {
  return {.score = -pack_score(size, free), .gpus = -free.gpus(), .cpus = -free.cpus, .memory = -free.memory};
}

}  // namespace ym::engine
