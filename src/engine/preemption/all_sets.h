// The best of all sets of few victims.
#pragma once

#include <cstddef>
#include <optional>

#include "engine/preemption/room.h"

namespace ym::engine {

// So many candidates make 255 sets to look at, at most.
inline constexpr std::size_t kFewCandidates = 8;

// The cheapest lawful set that makes room; nothing: none does, or nobody has to leave.
// Precondition: there are no more than kFewCandidates.
std::optional<Found> best_of_all_sets(Room& room, const Candidates& candidates);

}  // namespace ym::engine
