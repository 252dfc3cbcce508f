// Makes other workloads that resemble a recorded one: the jobs of its days in another order.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/workload/trace_job.h"

namespace ym::sim {

// Block bootstrap by days: each day of the recording, in UTC, is replaced by a random day of it, with the same weekday
// if there are several. The jobs of a day stay together, at their times of day. So bursts, sweeps and the week stay the
// same. Effects of one day on the next do not. The same seed gives the same jobs.
//
// Kunsch, "The jackknife and the bootstrap for general stationary observations", 1989.
//
// Precondition: jobs are in the order of their submits. Ids get the day's number as a prefix, so that each is unique.
std::vector<TraceJob> resampled(const std::vector<TraceJob>& jobs, std::uint64_t seed);

}  // namespace ym::sim
