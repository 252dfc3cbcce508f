// How large an elastic job becomes.
#pragma once

#include <optional>

#include "engine/cycle/cycle.h"
#include "engine/placement/choose.h"

namespace ym::engine {

// The place of a job of the shape at the largest of its sizes for which there are machines and
// quota now; nothing: there are none even for the smallest. Precondition: there is quota for
// the smallest.
std::optional<Choice> choose_largest(const Cycle& cycle, Rank rank, Index flavor, const Tenure& tenure);

// A larger place of it that contains what it has of the flavor, the largest for which there is room
// beside that; nothing: there is none. Precondition: what it has is taken in the trial.
std::optional<Choice> choose_larger(const Cycle& cycle, Rank rank, Index flavor, const Choice& held,
                                    const Tenure& tenure);

}  // namespace ym::engine
