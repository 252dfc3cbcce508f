// The cheapest nodes for a gang that meet its wishes for the topology.
#pragma once

#include <optional>

#include "engine/placement/choose.h"

namespace ym::engine {

// The nodes of one pool with the least cost (score.h), then by name. Work without GPUs avoids GPU nodes while other
// nodes have room. Between pools: fewest GPU nodes taken by such work; between domains of a level, the one with the
// fewest nodes that have room, so that large ones stay whole; then the sum of the costs, then the name of the cluster,
// and of the domain.
//
// A gang that prefers a level is tried in one domain of it, then of each outer level, then anywhere. If it does not
// fit into one, it gets as few domains as possible: of the pool's domains the ones with most nodes that have room; and
// for the rest, as soon as one domain holds it, the one with the fewest. This is Kueue's placement
// (pkg/cache/scheduler/tas_flavor_snapshot.go).
//
// The parts of a mix have one pool of their flavor each, all in the same cluster, or in the same domain of the level.
// Parts that share a pool choose in the order of the tasks, each from the nodes that leave enough to the others.
//
// The result is part by part, each part by name: task_order.h decides which task gets which node.
std::optional<Nodes> find_nodes(const Inventory& inventory, const Scorer& scorer, const Flavors& flavors,
                                const GangNeed& need, const Access& access, When when);

}  // namespace ym::engine
