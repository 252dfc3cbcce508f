// The ways to cut a GPU into shares that leave no more room than they must: a way that is not among these is one of
// them with pieces that serve as smaller ones, or as nothing, whereby the rest grows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "papers/placement/traces.h"

namespace ym::sim::placement {

struct Cut {
  std::vector<std::int32_t> pieces;  // of each size, how many
  std::int32_t rest_milli = 0;       // of the GPU
};

struct Cuts {
  std::vector<std::int32_t> sizes_milli;  // sorted
  std::vector<Cut> ways;                  // no piece can be added or be of the next size
};

struct CutOptions {
  std::int32_t least_milli = 200;  // shares below are no pieces
  std::size_t most_ways = 5000;    // to look at, 1 at least; with more, the smallest sizes are no pieces either
};

// By the shares of the list.
Cuts cuts_of(const PodList& list, const CutOptions& options = {});

}  // namespace ym::sim::placement
