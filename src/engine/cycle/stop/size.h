// The size of an elastic job.
#pragma once

#include <numeric>
#include <optional>

#include "engine/cycle/cycle.h"
#include "engine/placement/choose.h"

namespace ym::engine {

// The sizes to try.
struct Sizes {
  std::int32_t least = 1;  // known to pass
  std::int32_t step = 1;
};

// The largest of the sizes, up to `most`, for which `passes` is true. A size that passes implies that each smaller size
// passes, as it needs fewer machines and less quota. Precondition: `most` is no less than `sizes.least`.
template <class Passes>
std::int32_t largest_passing(const Sizes& sizes, std::int32_t most, Passes passes) {
  std::int32_t passing = 0, too_many = (most - sizes.least) / sizes.step + 1;
  while (passing + 1 < too_many) {
    const std::int32_t middle = std::midpoint(passing, too_many);
    (passes(sizes.least + middle * sizes.step) ? passing : too_many) = middle;
  }
  return sizes.least + passing * sizes.step;
}

// The place of the job at its largest size for which there are machines and quota now; nothing: there are none even for
// the smallest. Precondition: there is quota for the smallest.
std::optional<Choice> choose_largest(const Cycle& cycle, Rank rank, const Flavors& flavors, const Walltime& walltime);

// The largest place for the gang that contains the place that it has and is free beside that; nothing: there is none.
// Task 0 stays on its node. Precondition: the trial has taken what the gang has.
std::optional<Choice> choose_larger(const Inputs& in, const Tried& tried, Slot slot, const Footprint& place,
                                    const Walltime& walltime);

}  // namespace ym::engine
