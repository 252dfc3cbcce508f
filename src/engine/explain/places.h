// Where a gang could run if nothing else ran: what each cluster, or each domain of the required level, has for its
// parts.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "engine/cycle/cycle.h"

namespace ym::engine {

// The smallest set of parts of a gang that finds too few nodes in one place.
struct TooFew {
  std::vector<PartIndex> parts;
  std::size_t needed = 0;    // nodes
  std::size_t possible = 0;  // nodes that the rules allow, and that are large enough
  std::size_t excluded = 0;  // further nodes, which the job excludes by name

  std::size_t missing() const { return needed - possible; }
};

// For the place that comes closest. Nothing: one has enough for all parts.
std::optional<TooFew> too_few(const Inventory& inventory, const Shape& shape, const Flavors& flavors);

// The same, for places that would be enough if the job excluded no node. Nothing: there is none.
std::optional<TooFew> too_few_by_exclusion(const Inventory& inventory, const Shape& shape, const Flavors& flavors);

}  // namespace ym::engine
