// Task order: which node of a gang gets which task, so that a ring over the tasks leaves a domain as seldom as
// possible.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/state/nodes/inventory.h"

namespace ym::engine {

// Sorts the nodes of a gang into the order of its tasks. They come part by part, each part by name. Nodes of a part
// that share a domain become consecutive, at every level of the cluster, and by name within the innermost. Domains are
// ordered by name too, not by how much of the gang they hold. So the order does not depend on what else is free, and
// remaining tasks keep their order when the gang becomes larger or smaller. A part begins in the domains in which the
// one before it ends.
//
// A gang may name a level that its cluster does not have among its levels: a preferred one, or that of its slices. Its
// domains are the outermost for the order.
//
// `had`: the previous nodes of a gang that continues, by task. The first of them that it keeps in its first part stays
// first there, and its domains come first.
void order_by_task(const Topology& topology, const Flavors& flavors, const GangNeed& need,
                   std::vector<NodeIndex>& nodes, std::span<const NodeIndex> had = {});

}  // namespace ym::engine
