// Each job is stopped at most once for all jobs that wait (docs/design/0029).
//
// A job may stop another only if that one was not stopped since the first arrived. All stops to make room count, also
// those of a drained queue or for quota that was taken away. So arrivals bound the number of stops: between two
// arrivals no job is stopped twice.
#pragma once

#include <limits>

#include "base/time.h"

namespace ym::engine {

// The last preemption of a job that had none: before all arrivals.
inline constexpr Instant kNotStopped{std::numeric_limits<std::int64_t>::min()};

// Whether a job that arrived at `arrived_at` may stop a job with this last preemption.
constexpr bool may_stop_again(Instant arrived_at, Instant stopped_at) { return stopped_at < arrived_at; }

}  // namespace ym::engine
