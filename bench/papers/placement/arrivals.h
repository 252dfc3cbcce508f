// The order in which pods arrive.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "papers/placement/traces.h"

namespace ym::sim::placement {

struct ArrivalOptions {
  std::int64_t capacity_milli = 0;  // of all GPUs
  std::int64_t most_percent = 130;  // of it arrives
};

// The protocol of Weng et al.: all pods of the list, shuffled; then clones of pods drawn from it, until the next would
// pass the limit. Of a list that is beyond that, pods are left out at random until it is not. Their shuffle is Go's;
// this one is ym::Random's, so that single runs differ from theirs and only means can be compared.
// Preconditions: some pod of the list asks for GPUs; the seed is the run's.
std::vector<ShapeId> arrivals_of(const PodList& list, const ArrivalOptions& options, std::uint64_t seed);

// Pods drawn one by one from the list, until the next would pass the limit: the same mix, and no order of the test.
std::vector<ShapeId> drawn_arrivals(const PodList& list, const ArrivalOptions& options, Random& random);

// The nodes in an order drawn for the run; of equal ones the first gets a pod. Weng et al. put a number drawn at random
// before each node's name; without it FGD allocates 1 point less where many pods ask for no GPUs.
Fleet in_drawn_order(const Fleet& fleet, std::uint64_t seed);

// Fisher and Yates.
void shuffle(std::vector<ShapeId>& pods, Random& random);

}  // namespace ym::sim::placement
