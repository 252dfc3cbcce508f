// What it takes to clear room on single nodes.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/preemption/room.h"

namespace ym::engine {

// A node that can be cleared for a task, and who of the candidates has to leave for that.
struct Clearing {
  std::span<const std::size_t> leaving;  // places among the candidates
};

// Of many nodes, with what they point to in one piece: a copy would point into the original, so that there is none.
struct Clearings {
  Clearings() = default;
  Clearings(const Clearings&) = delete;
  Clearings& operator=(const Clearings&) = delete;
  Clearings(Clearings&&) = default;
  Clearings& operator=(Clearings&&) = default;
  ~Clearings() = default;

  std::vector<Clearing> cheapest_first;
  std::vector<std::size_t> leaving;
};

// All such nodes of the pool, the cheapest first, in the order of prices as far as it can be told for
// a node alone: a gang's loss is shared by the nodes that it would clear. On each node those go who
// come first among the candidates. Neither rights nor quota are looked at.
Clearings cheapest_to_clear(const Room& room, const Pool& pool, const Candidates& candidates);

}  // namespace ym::engine
