// Rates the nodes of a pool that a gang, or its parts, would get.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/placement/choose.h"

namespace ym::engine {

// The parameters of a search for a gang.
struct Search {
  const Inventory& inventory;
  const Scorer& scorer;
  const GangNeed& need;
  const Access& access;
  When when;

  // For a part of the gang.
  Search with(const GangNeed& part) const {
    return {.inventory = inventory, .scorer = scorer, .need = part, .access = access, .when = when};
  }
  bool has_room(NodeIndex node) const {
    if (access.is_kept(inventory, node, need.task) || !inventory.up[node] || !inventory.matches(need.rule, node))
      return false;
    return inventory.has_free(node, need.task, when) && access.allows(node, need.task);
  }
};

// What pools are compared by, before their names.
struct Rating {
  std::int64_t wasted = 0;
  std::size_t room = 0;  // number of candidates in a domain
  NodeCost cost;
  auto operator<=>(const Rating&) const = default;

  Rating& operator+=(const Rating& other) {
    wasted += other.wasted;
    room += other.room;
    cost += other.cost;
    return *this;
  }
};

struct Rated {
  Rating rating;
  std::vector<NodeIndex> nodes;  // by name
};

// Nothing: the pool, which is one of the level's, has too few nodes. Required levels are not checked.
std::optional<Rated> rate(const Search& search, const Pool& pool, LevelIndex level);
// For a gang by part. `pool` is of the first part's flavor; each part has the pool of its flavor beside it. Parts that
// share a pool choose in turn the cheapest of the nodes that leave enough to the others. The result is part by part.
std::optional<Rated> rate_parts(const Search& search, const Pool& pool, const Flavors& flavors, LevelIndex level);

}  // namespace ym::engine
