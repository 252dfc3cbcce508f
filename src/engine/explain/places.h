// Where a gang could be if nothing ran: what each cluster, or each domain of the level in which all of it has to be,
// has for its parts.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "engine/cycle/cycle.h"

namespace ym::engine {

// Parts of a gang that find too few nodes in one place: the fewest parts of which that is so.
struct TooFew {
  std::vector<std::size_t> parts;  // 0 is the first
  std::size_t needed = 0;          // nodes
  std::size_t possible = 0;        // nodes that the rules allow, and that are large enough
  std::size_t excluded = 0;        // nodes that would be, if the job did not exclude them by name

  std::size_t missing() const { return needed - possible; }
};

// Of the place that comes closest. Nothing: one has enough for all parts.
std::optional<TooFew> too_few(const Inventory& inventory, const Shape& shape, const Flavors& flavors);

// The same, of the places that would be enough if the job excluded no node. Nothing: there is none.
std::optional<TooFew> too_few_by_exclusion(const Inventory& inventory, const Shape& shape, const Flavors& flavors);

}  // namespace ym::engine
