// Room for a job where others are: who leaves already, and who is stopped for it.
#pragma once

#include <cstddef>
#include <optional>

#include "engine/cycle/cycle.h"
#include "engine/preemption/search.h"

namespace ym::engine {

// For so many jobs others are stopped in one cycle at most, so that it stays short; the next one
// goes on.
inline constexpr std::size_t kMostHelped = 256;
// After so many searches for victims no further round is begun, for the same reason.
inline constexpr std::size_t kMostSearches = 4096;

bool somebody_leaves(const Cycle& cycle);
// Those who should have left are not counted on until Trial::release_expected; what is expected of the
// others until the first of them should have left too.
Instant doubt_overdue(Cycle& cycle);
// Of all who may have to leave, until the last is gone.
Duration longest_stop(const Inputs& in);
// Room that will be there without anybody being stopped. Preconditions: somebody leaves, and the cycle's
// longest_stop is known.
std::optional<Choice> room_expected(Cycle& cycle, Rank rank, const Option& option);
// What was expected in a round of placing, and who was doubted, is so no more.
void forget_expected(Cycle& cycle);
// The victims are stopped, and their place is kept for the job.
void make_room(Cycle& cycle, Rank rank, const Flavors& flavors, RoomPlan plan);
// Whether the job will have room when those have left who leave; that is its own then until Trial::release_expected.
// Precondition: as of room_expected.
bool expects_room(Cycle& cycle, Rank rank);

}  // namespace ym::engine
