// The bound: what a job costs at least for somebody who knows the market before.
//
// A dynamic program over ticks, work left and place, exact for decisions once a tick (Wu et al., NSDI 2024, call it
// Omniscient). Nothing that runs tick by tick is cheaper.
#pragma once

#include <cstddef>
#include <cstdint>

#include "papers/spot/job.h"
#include "papers/spot/market.h"

namespace ym::sim::spot {

// In cents times ms / h, as cost() of a bill. Preconditions: the market lasts from `start` to the deadline; the last
// tick is cut off at the deadline, to the unit that divides ticks, starts and work. Takes time and memory by the work
// in such units; all of it on demand costs less than 2^28 cents times units.
std::int64_t least_cost(const Job& job, const Market& market, std::size_t start);

}  // namespace ym::sim::spot
