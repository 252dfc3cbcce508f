// Each job is stopped once at most for all that wait (docs/design/0029).
//
// A job may stop another only if that one was not stopped since the first arrived; by whichever stop to make room, a
// drained queue and quota that was taken away included. So the number of stops is bounded by arrivals: between two of
// them no job is stopped twice.
#pragma once

#include <limits>

#include "base/time.h"

namespace ym::engine {

// The last preemption of a job that had none: before all arrivals.
inline constexpr Instant kNotStopped{std::numeric_limits<std::int64_t>::min()};

// Whether a job that arrived then may stop one whose last preemption was then.
constexpr bool is_unspent(Instant arrived_at, Instant stopped_at) { return stopped_at < arrived_at; }

}  // namespace ym::engine
