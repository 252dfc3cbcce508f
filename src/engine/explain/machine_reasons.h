// What machines lack for a job, as reasons with their numbers.
#pragma once

#include "engine/cycle/cycle.h"
#include "engine/explain/capacity.h"
#include "engine/explain/places.h"

namespace ym::engine {

// What a task needs of each kind.
std::vector<Number> each_kind(const Shape& shape);

// In nodes; see never.h for what it is about.
Reason exceeds_capacity(const Cycle& cycle, const Shape& shape, const Hardware& hardware);

// Precondition: something is lacking.
Reason lacking(const Cycle& cycle, const Shape& shape, Index flavor, const CapacityFinding& finding);

// Each part of a mix has room, but not in one place.
Reason not_together(const Cycle& cycle, const Shape& shape, const Flavors& flavors);

// The same, and not even if nothing else ran. Says of which parts how many nodes are too few.
Reason never_together(const Cycle& cycle, const Shape& shape, const Flavors& flavors);

// It could run if it did not exclude nodes by name.
Reason excludes_too_much(const Cycle& cycle, const Shape& shape, const Flavors& flavors, const TooFew& lack);

// There are no nodes for it, but there could be.
Reason not_there_yet(const Cycle& cycle, const Shape& shape, const Flavors& flavors);

// Nodes are being made for it.
Reason provisioning(const Cycle& cycle, const Provided& provided);

// All flavors that the queue may use are spot.
Reason no_anchor(const Cycle& cycle, const Shape& shape);

// Of a task that has slices, or shares a GPU: what is said of GPUs counts those ("mig:1g.10gb"), or is of one GPU
// ("gpu_share").
void count_parts(const Cycle& cycle, const Shape& shape, Reason& reason);

}  // namespace ym::engine
