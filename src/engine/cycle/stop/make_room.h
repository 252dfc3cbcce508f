// Preemption for one job: which jobs are leaving already, and which jobs are stopped for it.
#pragma once

#include <cstddef>
#include <optional>

#include "engine/cycle/cycle.h"
#include "engine/preemption/search.h"

namespace ym::engine {

// At most this many preempting jobs a cycle, so that it stays short; the next cycle goes on.
inline constexpr std::size_t kMostHelped = 256;
// After this many searches for jobs to stop no further round is started, for the same reason.
inline constexpr std::size_t kMostSearches = 4096;

bool some_jobs_leave(const Inputs& in, const Tried& tried);
// Marks overdue the jobs that should be gone: the trial does not count on them until Trial::release_expected. Returns
// the time at which the first of the other leaving jobs becomes overdue.
Instant mark_overdue(const Inputs& in, Tried& tried);
// The time until the last running job is gone, if all are stopped now.
Duration longest_stop(const Inputs& in);
// Room that will be there without a new stop. Preconditions: some job is leaving, and the cycle's longest_stop is
// known.
std::optional<Choice> room_expected(const Cycle& cycle, Rank rank, const Option& option);
// Discards the room that a round of placement expected, and the overdue marks of that round.
void forget_expected(Tried& tried, Findings& known);
// Stops the plan's preempted jobs, and makes the place the job's nominated placement.
void make_room(Cycle& cycle, Rank rank, const Flavors& flavors, RoomPlan plan);
// Whether the job will have room when the leaving jobs are gone. If so, that room is its own until
// Trial::release_expected. Precondition: as of room_expected.
bool expects_room(Cycle& cycle, Rank rank);

}  // namespace ym::engine
