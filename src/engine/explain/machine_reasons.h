// What machines lack for a job, as reasons with their numbers.
#pragma once

#include "engine/cycle/cycle.h"
#include "engine/explain/capacity.h"
#include "engine/explain/places.h"

namespace ym::engine {

// The nodes that the shape asks for, of one flavor or of any, and how many there are.
AskedNodes asked_nodes(const Shape& shape, const Hardware& hardware, std::string flavor = {});
// The level in which one domain has to hold the whole gang; empty: one cluster has to.
std::string level_of(const Inputs& in, const Shape& shape);
// Each node is large enough, but there are too few.
Reason too_few_nodes(const Inputs& in, const Shape& shape, FlavorIndex flavor, const Hardware& hardware);
// No node has as much as a task needs: of one kind, of the memory of a GPU, or of all kinds at once.
Reason nodes_too_small(const Inputs& in, const Shape& shape, ResourceKind kind, NodesTooSmall of_which,
                       std::int64_t largest);
Reason no_node_has_all_kinds(const Shape& shape, std::string flavor);

// Precondition: something is lacking.
Reason lacking(const Inputs& in, const Shape& shape, FlavorIndex flavor, const CapacityFinding& finding);

// Each part of a mix has room, but not in one place.
Reason not_together(const Inputs& in, const Shape& shape, const Flavors& flavors);

// The same, even if nothing else ran. Names the parts, and how many nodes are missing.
Reason never_together(const Inputs& in, const Shape& shape, const Flavors& flavors);

// It could run if it did not exclude nodes by name.
Reason excludes_too_much(const Inputs& in, const Shape& shape, const Flavors& flavors, const TooFew& lack);

// There are no nodes for it, but some could be made.
Reason not_there_yet(const Inputs& in, const Shape& shape, const Flavors& flavors);

// Nodes are being made for it.
Reason provisioning(const Inputs& in, const Provisioned& provisioned);

// All flavors that the queue may use are spot.
Reason no_anchor(const Inputs& in, const Shape& shape);

}  // namespace ym::engine
