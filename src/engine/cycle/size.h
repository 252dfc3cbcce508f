// How large an elastic job becomes.
#pragma once

#include <numeric>
#include <optional>

#include "engine/cycle/cycle.h"
#include "engine/placement/choose.h"

namespace ym::engine {

// The largest size below `too_large` that passes. Who passes at a size passes at each smaller
// one: less is asked for, of machines and of quota. Precondition: `passing` does.
template <class Passes>
std::int32_t largest_passing(std::int32_t passing, std::int32_t too_large, Passes passes) {
  while (passing + 1 < too_large) {
    const std::int32_t middle = std::midpoint(passing, too_large);
    (passes(middle) ? passing : too_large) = middle;
  }
  return passing;
}

// The place of a job of the shape at the largest of its sizes for which there are machines and
// quota now; nothing: there are none even for the smallest. Precondition: there is quota for
// the smallest.
std::optional<Choice> choose_largest(const Cycle& cycle, Rank rank, Index flavor, const Tenure& tenure);

// Where a gang is, as the choice that it was.
Choice choice_of(const Inventory& inventory, const Footprint& place);

// A larger place of it that contains what it has of the flavor, the largest for which there is room
// beside that; nothing: there is none. Precondition: what it has is taken in the trial.
std::optional<Choice> choose_larger(const Cycle& cycle, Index slot, Index flavor, const Choice& held,
                                    const Tenure& tenure);

}  // namespace ym::engine
