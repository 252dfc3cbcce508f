// Moves: which jobs would have to move so that a gang finds room, with proof that each finds another place.
//
// Moves free nothing in sum: each moved job gets the same room in its flavor, beside what the gang takes. So moves can
// only join scattered machines. Nodes are cleared from the cheapest on, and then from the ones with the fewest GPUs to
// move. A node with a job that has no other place is given up, a limited number of times.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/preemption/room.h"

namespace ym::engine {

struct Moves {
  std::vector<Running*> movers;   // by id; at least one
  Choice choice;                  // where the gang runs when the jobs are gone
  std::vector<Grant> new_places;  // where each of these jobs runs then
  std::int64_t lost_gpu_ms = 0;
};

// Movers are jobs that may be stopped now, are no more urgent than the gang, and have no fence between. Precondition:
// the cycle's longest_stop is known. Changes the cycle's trial and restores it.
std::optional<Moves> find_moves(Cycle& cycle, Rank rank, FlavorIndex flavor, PreemptibleJobs& running);

}  // namespace ym::engine
