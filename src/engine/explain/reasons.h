// Findings as reasons, with their numbers.
//
// Numbers are in GPUs, CPUs and bytes. Parts are rounded so that a shortage still shows:
// what is needed or used upwards, what there is downwards.
#pragma once

#include "engine/cycle/cycle.h"
#include "engine/explain/capacity.h"
#include "engine/quota/demand.h"

namespace ym::engine {

Reason held();
Reason backoff(Instant until);
Reason misconfigured(const Cycle& cycle, Index queue);
Reason exceeds_max_quota(const Cycle& cycle, Index flavor, const Shortage& shortage);
// The queue may use no flavor at all.
Reason no_flavor(const Cycle& cycle, const Shape& shape);
Reason exceeds_capacity(const Cycle& cycle, const Shape& shape, Index flavor, const Hardware& hardware);
Reason waiting_for_quota(const Cycle& cycle, Index flavor, const Shortage& shortage);
Reason behind(const Cycle& cycle, Index flavor, Rank keeper);
// Precondition: something is lacking.
Reason lacking(const Cycle& cycle, const Shape& shape, Index flavor, const CapacityFinding& finding);

}  // namespace ym::engine
