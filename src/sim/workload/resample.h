// Other workloads like the one that was recorded: what would have come on other days.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/workload/trace_job.h"

namespace ym::sim {

// Block bootstrap by days: each day of the recorded time, in UTC, is replaced by one drawn from it, of the same weekday
// where there are several of those; the jobs of a day stay together, at their times of the day. So bursts, sweeps and
// the week stay as they are, what one day leaves to the next does not. The same seed gives the same jobs.
//
// Kunsch, "The jackknife and the bootstrap for general stationary observations", 1989.
//
// Precondition: in the order of submission. Ids get the day's number before them, so that each is there once.
std::vector<TraceJob> resampled(const std::vector<TraceJob>& jobs, std::uint64_t seed);

}  // namespace ym::sim
