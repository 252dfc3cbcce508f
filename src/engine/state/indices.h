// Indices: places in the engine's arrays, a type for each kind of thing.
//
// An index says where something is in the arrays, never which of two things goes first: every order that decides ends
// in a name or an id. The one exception is the rank, which is an order.
#pragma once

#include <cstdint>
#include <vector>

#include "base/strong_index.h"

namespace ym::engine {

// What has no type of its own yet.
using Index = std::uint32_t;

// No index of any type.
struct NoIndexOfAnyType : NoIndex {
  constexpr explicit(false) operator Index() const { return ~Index{0}; }
};
inline constexpr NoIndexOfAnyType kNone;

// A job's place in the order of a cycle: 0 has the first turn.
using Rank = StrongIndex<struct RankTag>;
// A seat of a cycle (seat.h): the jobs of a queue sit together.
using SeatIndex = StrongIndex<struct SeatTag>;

// By node: the first job that keeps it from those behind it; kNone: none does.
using Keepers = std::vector<Rank>;

}  // namespace ym::engine
