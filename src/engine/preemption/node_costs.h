// The cost of clearing room on single nodes.
#pragma once

#include <span>
#include <vector>

#include "engine/preemption/room.h"

namespace ym::engine {

using CandidateIndex = StrongIndex<struct CandidateTag>;
using CandidateList = IndexedSpan<CandidateIndex, Candidate>;

// A node that can be cleared for a task, and the candidates that have to leave for that.
struct Clearing {
  std::span<const CandidateIndex> leaving;
};

// Many nodes, with the arrays that they point into. A copy would point into the original, so there is none.
struct Clearings {
  Clearings() = default;
  Clearings(const Clearings&) = delete;
  Clearings& operator=(const Clearings&) = delete;
  Clearings(Clearings&&) = default;
  Clearings& operator=(Clearings&&) = default;
  ~Clearings() = default;

  std::vector<Clearing> cheapest_first;
  std::vector<CandidateIndex> leaving;
};

// All such nodes of the pool, the cheapest first, in the order of prices as far as one node shows it: a gang's loss is
// shared by the nodes that it would clear. On each node the first candidates go first. Neither rights nor quota are
// checked.
Clearings cheapest_to_clear(const Room& room, const Pool& pool, const CandidateList& candidates);

}  // namespace ym::engine
