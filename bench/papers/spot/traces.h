// Reads recordings of spot capacity, as published with Wu et al., "Can't Be Late: Optimizing Spot Instance Savings
// under Deadlines", USENIX NSDI 2024 (skypilot-org/spot-traces).
//
// JSON, plain or gzip: {"metadata": {"gap_seconds": s}, "data": [nodes that could be had, by tick]}. What else is there
// is not looked at.
#pragma once

#include <string>

#include "base/result.h"
#include "papers/spot/market.h"

namespace ym::sim::spot {

// The name of the trace is that of the file without its ending. `io` where the file cannot be read; `invalid`, with the
// file, where it is no such recording: ticks are whole seconds, up to a day; nodes 0 to 1,000,000; at least one tick.
Result<Trace> read_trace(const std::string& path);

}  // namespace ym::sim::spot
