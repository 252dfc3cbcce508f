// Best fit: the node on which the fewest GPUs stay free, so that whole nodes stay whole; then the fewest CPUs, then
// the least memory.
#include "engine/placement/score.h"

namespace ym::engine {

NodeCost best_fit_cost(const NodeRoom& free) { return {.gpus = free.gpus(), .cpus = free.cpus, .memory = free.memory}; }

}  // namespace ym::engine
