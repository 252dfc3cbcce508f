// Best fit: the fullest nodes that still have room.
#pragma once

#include <optional>

#include "engine/placement/choose.h"

namespace ym::engine {

// The nodes of one pool that leave the fewest GPUs free, so that whole nodes stay whole; then
// the fewest CPUs, then the least memory; then by name. Work without GPUs keeps off GPU nodes
// while others have room. Between pools: fewest GPU nodes taken by such work; of domains of a level the
// one with the fewest nodes that have room, so that large ones stay whole; then what is
// left over all nodes in the same order, then the name of the cluster, and of the domain.
//
// A gang that prefers a level is tried in one domain of it, then of each level outside of that, then
// anywhere. Where it does not fit into one, it gets as few as it can: of those in the pool the ones with most
// nodes that have room, and for the rest, as soon as one domain holds it, the one with fewest. Kueue's best fit
// (pkg/cache/scheduler/tas_flavor_snapshot.go) does the same.
std::optional<Nodes> best_fit(const Inventory& inventory, Index flavor, const GangNeed& need, const Access& access,
                              When when);

}  // namespace ym::engine
