// The best of all sets of preempted jobs, if there are few candidates.
#pragma once

#include <cstddef>
#include <optional>

#include "engine/preemption/room.h"

namespace ym::engine {

// This number of candidates makes at most 255 sets to look at.
inline constexpr std::size_t kFewCandidates = 8;

// The cheapest lawful set that makes room. Nothing: no set does, or no job has to leave. Precondition: at most
// kFewCandidates.
std::optional<Found> best_of_all_sets(Room& room, const Candidates& candidates);

}  // namespace ym::engine
