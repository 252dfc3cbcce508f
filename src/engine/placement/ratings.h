// Ratings: how good the nodes are that a gang would get of each pool, remembered while nothing is taken of the pool or
// given back. Where a gang has to be near each other there are many pools, and who comes before it took something of
// one.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/placement/rate.h"
#include "engine/state/touch_log.h"

namespace ym::engine {

// Of one cycle: of machines, ways to choose and workload that stay as they are. For one thread.
class Ratings {
 public:
  explicit Ratings(const TouchLog& touches) : touches_(touches) {}

  // By pool of the level; nothing: it has too few. They stay until the next question. Preconditions: the gang is looked
  // for now, and nobody keeps nodes or is promised any.
  std::span<const std::optional<Rated>> of(const Search& search, FlavorIndex flavor, LevelIndex level);

 private:
  // Flavor, level, rule, task, nodes, and the levels that the gang asks for.
  using Asked = std::tuple<FlavorIndex, LevelIndex, RuleIndex, NodeNeed, std::size_t, Levels>;
  struct Known {
    std::uint64_t seen = 0;  // up to there in the log
    std::vector<std::uint8_t> stale;
    std::vector<std::optional<Rated>> rated;
  };
  using PoolOf = IndexedVector<NodeIndex, Index>;  // kNone: it is in none
  const PoolOf& pool_of(const Inventory& inventory, FlavorIndex flavor, LevelIndex level);
  void find_stale(Known& known, const PoolOf& pool_of, std::size_t pools) const;

  const TouchLog& touches_;
  std::map<Asked, Known> known_;
  std::map<std::pair<FlavorIndex, LevelIndex>, PoolOf> pool_of_;  // by flavor and level
};

}  // namespace ym::engine
