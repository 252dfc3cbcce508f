// Provisioning: nodes that do not exist yet, and could be made.
#pragma once

#include "engine/cycle/cycle.h"

namespace ym::engine {

// Whether nodes could be made for a gang of the shape: the flavor is elastic, one of its nodes is large enough and
// meets the rules, and the flavor's largest size is enough.
bool could_be_provisioned(const Inputs& in, const Shape& shape, const Flavors& flavors);

// Whether jobs of the shape will run in this option without repair or change: once other jobs have ended (only_waits),
// or on nodes that are made for them, with the existing ones. Overdue nodes do not count.
bool has_prospect(const Inputs& in, Output& out, const Shape& shape, const Option& option);

}  // namespace ym::engine
