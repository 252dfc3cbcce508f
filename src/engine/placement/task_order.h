// Which node of a gang gets which task: so that a ring over the tasks leaves a domain as seldom as can be.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/state/inventory.h"

namespace ym::engine {

// Puts the nodes of a gang, given part by part and each part by name, into the order of its tasks. Of each part those
// of one domain come together, at every level of the cluster, and by name within the innermost. The domains are by name
// too, and not by how much of the gang they hold: so the order does not change with what else is free, and tasks that
// stay when the gang becomes larger or smaller stay in their order. A part begins in the domains in which the one
// before it ends.
//
// A gang may name a level that its cluster does not: what it prefers, or has slices in. Its domains come together
// before all others.
//
// `had`: of a gang that was there before, its nodes by task. The first of them that it keeps in its first part stays
// the first there, and its domains come first.
void order_by_task(const Topology& topology, const Flavors& flavors, const GangNeed& need,
                   std::vector<NodeIndex>& nodes, std::span<const NodeIndex> had = {});

}  // namespace ym::engine
