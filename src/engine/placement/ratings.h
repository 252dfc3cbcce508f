// Ratings: the rated nodes that a gang would get of each pool, cached while nothing of the pool is taken or given
// back. A gang that asks for nearness has many pools, and the jobs before it changed only one.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/placement/rate.h"
#include "engine/state/touch_log.h"

namespace ym::engine {

// For one cycle, in which machines, policy and workload stay unchanged. For one thread.
class Ratings {
 public:
  explicit Ratings(const TouchLog& touches) : touches_(touches) {}

  // Nothing: the pool has too few nodes. Valid until the next question. Preconditions: the gang is
  // looked for now, no job keeps nodes, and there are no reservations.
  IndexedSpan<PoolIndex, std::optional<Rated>> of(const Search& search, FlavorIndex flavor, LevelIndex level);

 private:
  // Flavor, level, rule, task, nodes, and the levels that the gang asks for.
  using Asked = std::tuple<FlavorIndex, LevelIndex, RuleIndex, NodeNeed, std::size_t, Levels>;
  struct Known {
    std::uint64_t seen = 0;  // read up to this point of the log
    IndexedVector<PoolIndex, std::uint8_t> stale;
    IndexedVector<PoolIndex, std::optional<Rated>> rated;
  };
  using PoolOf = IndexedVector<NodeIndex, PoolIndex>;  // kNone: the node is in none
  const PoolOf& pool_of(const Inventory& inventory, FlavorIndex flavor, LevelIndex level);
  void find_stale(Known& known, const PoolOf& pool_of, std::size_t pools) const;

  const TouchLog& touches_;
  std::map<Asked, Known> known_;
  std::map<std::pair<FlavorIndex, LevelIndex>, PoolOf> pool_of_;  // by flavor and level
};

}  // namespace ym::engine
