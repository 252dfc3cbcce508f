// What it takes to clear room on single nodes.
#pragma once

#include <optional>
#include <vector>

#include "engine/cycle/cycle.h"
#include "engine/preemption/roster.h"

namespace ym::engine {

// Who stands on the nodes of the pool that are the cheapest to clear for the shape, as many as it
// has tasks, and has to leave there: by candidate. On each node those go first who come first.
// Nothing: so many nodes cannot be cleared. Quota is not looked at.
std::optional<std::vector<bool>> cheapest_to_clear(const Cycle& cycle, const Shape& shape, const Pool& pool,
                                                   const std::vector<const Running*>& candidates);

}  // namespace ym::engine
