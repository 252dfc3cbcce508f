// How large an elastic job becomes.
#pragma once

#include <numeric>
#include <optional>

#include "engine/cycle/cycle.h"
#include "engine/placement/choose.h"

namespace ym::engine {

// The sizes that come into question.
struct Sizes {
  std::int32_t least = 1;  // of which it is known that it passes
  std::int32_t step = 1;
};

// The largest of them, up to `most`, that passes. Who passes at a size passes at each smaller one: less is asked for,
// of machines and of quota. Precondition: `most` is none less than the least.
template <class Passes>
std::int32_t largest_passing(const Sizes& sizes, std::int32_t most, Passes passes) {
  std::int32_t passing = 0, too_many = (most - sizes.least) / sizes.step + 1;
  while (passing + 1 < too_many) {
    const std::int32_t middle = std::midpoint(passing, too_many);
    (passes(sizes.least + middle * sizes.step) ? passing : too_many) = middle;
  }
  return sizes.least + passing * sizes.step;
}

// The place of a job of the shape at the largest of its sizes for which there are machines and
// quota now; nothing: there are none even for the smallest. Precondition: there is quota for
// the smallest.
std::optional<Choice> choose_largest(const Cycle& cycle, Rank rank, const Flavors& flavors, const Walltime& walltime);

// Where a gang is, as the choice that it was.
Choice choice_of(const Inventory& inventory, const Footprint& place);

// A larger place of it that contains what it has of the flavors, the largest for which there is room
// beside that; nothing: there is none. Its task 0 stays where it is. Precondition: what it has is taken in the trial.
std::optional<Choice> choose_larger(const Cycle& cycle, Slot slot, const Flavors& flavors, const Choice& held,
                                    const Walltime& walltime);

}  // namespace ym::engine
