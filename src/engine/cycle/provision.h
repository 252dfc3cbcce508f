// Nodes that do not exist yet, and could be made.
#pragma once

#include "engine/cycle/cycle.h"

namespace ym::engine {

// Whether nodes could be made for a gang of the shape: the flavor is elastic, one of its nodes is large enough and
// meets the rules, and there may be as many.
bool could_be_provisioned(const Inputs& in, const Shape& shape, const Flavors& flavors);

// Whether jobs of the shape will run in this option with nothing repaired or changed: once others have ended
// (only_waits), or on nodes that are made for them, beside those that are there. On overdue ones nobody counts.
bool has_prospect(Cycle& cycle, const Shape& shape, const Option& option);

}  // namespace ym::engine
