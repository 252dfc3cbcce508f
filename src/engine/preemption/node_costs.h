// What it takes to clear room on single nodes.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/preemption/room.h"

namespace ym::engine {

// A node that can be cleared for a task, and who of the candidates has to leave for that.
struct Clearing {
  std::vector<std::size_t> leaving;  // places among the candidates
};

// All such nodes of the pool, the cheapest first, in the order of prices as far as it can be told for
// a node alone: a gang's loss is shared by the nodes that it would clear. On each node those go who
// come first among the candidates. Neither rights nor quota are looked at.
std::vector<Clearing> cheapest_to_clear(const Room& room, const Pool& pool, const Candidates& candidates);

}  // namespace ym::engine
