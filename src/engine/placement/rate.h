// How good the nodes are that a gang, or its parts, would get of a pool.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/placement/choose.h"

namespace ym::engine {

// How a gang is looked for.
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
  std::size_t room = 0;  // of a domain: its candidates
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

// Nothing: the pool, one of the level's, has too few. Levels that are required are not looked at.
std::optional<Rated> rate(const Search& search, const Pool& pool, LevelIndex level);
// Of a gang by part, each at the place of this pool, which is of the first one's flavor: those that share a pool choose
// part by part those nodes that cost least of the ones that leave enough to the others. Nodes are part by part.
std::optional<Rated> rate_parts(const Search& search, const Pool& pool, const Flavors& flavors, LevelIndex level);

}  // namespace ym::engine
