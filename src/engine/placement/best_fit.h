// Best fit: the fullest nodes that still have room.
#pragma once

#include <optional>
#include <vector>

#include "engine/placement/choose.h"

namespace ym::engine {

// The nodes of one pool that leave the fewest GPUs free, so that whole nodes stay whole; then
// the fewest CPUs, then the least memory; then by name. Work without GPUs keeps off GPU nodes
// while others have room. Between pools: fewest GPU nodes taken by such work, then what is
// left over all nodes in the same order, then the name of the cluster.
std::optional<Nodes> best_fit(const Inventory& inventory, Index flavor, const GangNeed& need, const Access& access,
                              When when);

}  // namespace ym::engine
