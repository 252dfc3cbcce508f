// Moves: who would have to go elsewhere so that a gang finds room, with proof that there is an elsewhere.
//
// Nothing becomes free by it: whoever makes room gets room, in his flavor, beside what the gang takes. So only
// scattered machines can be had that way. Nodes are cleared from the cheapest on, and then from those on from which
// least has to go; one from which somebody has nowhere to go is given up, for so many times.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/preemption/room.h"

namespace ym::engine {

struct Moves {
  std::vector<Running*> movers;  // by id; at least one
  Choice choice;                 // where the gang runs when they are gone
  std::vector<Grant> homes;      // where each of them finds room then
  std::int64_t lost_gpu_ms = 0;
};

// Of jobs that may be stopped now, are no more urgent than the gang's, and have no fence between. Precondition: the
// cycle's longest_stop is known. The cycle's trial is varied and put back.
std::optional<Moves> find_moves(Cycle& cycle, Rank rank, FlavorIndex flavor, Roster& running);

}  // namespace ym::engine
