// Which nodes a gang gets: those that cost least, where its wishes for the topology are met.
#pragma once

#include <optional>

#include "engine/placement/choose.h"

namespace ym::engine {

// The nodes of one pool that cost least (score.h), then by name. Work without GPUs keeps off GPU nodes
// while others have room. Between pools: fewest GPU nodes taken by such work; of domains of a level the
// one with the fewest nodes that have room, so that large ones stay whole; then the sum of the costs,
// then the name of the cluster, and of the domain.
//
// A gang that prefers a level is tried in one domain of it, then of each level outside of that, then
// anywhere. Where it does not fit into one, it gets as few as it can: of those in the pool the ones with most
// nodes that have room, and for the rest, as soon as one domain holds it, the one with fewest. Kueue's placement
// (pkg/cache/scheduler/tas_flavor_snapshot.go) does the same.
//
// The parts of a mix have a pool of their flavor each, all in the same cluster, or in the same domain of the level.
// Those that share one choose in the order of the tasks, each of what leaves enough to the others.
//
// Found are the nodes part by part, each part's by name: which task gets which is another matter (task_order.h).
std::optional<Nodes> find_nodes(const Inventory& inventory, const Scorer& scorer, const Flavors& flavors,
                                const GangNeed& need, const Access& access, When when);

}  // namespace ym::engine
