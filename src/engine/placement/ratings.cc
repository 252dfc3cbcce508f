#include "engine/placement/ratings.h"

namespace ym::engine {

const Ratings::PoolOf& Ratings::pool_of(const Inventory& inventory, FlavorIndex flavor, LevelIndex level) {
  PoolOf& pool_of = pool_of_[{flavor, level}];
  if (!pool_of.empty()) return pool_of;
  pool_of.assign(inventory.rows.size(), kNone);
  const auto pools = inventory.pools(flavor, level);
  for (const PoolIndex pool : pools.indices())
    for (const NodeIndex node : pools[pool].nodes) pool_of[node] = pool;
  return pool_of;
}

void Ratings::find_stale(Known& known, const PoolOf& pool_of, std::size_t pools) const {
  const auto touched = known.rated.empty() ? std::nullopt : touches_.since(known.seen);
  known.seen = touches_.end();
  if (!touched) known.stale.assign(pools, 1);
  else
    for (const NodeIndex node : *touched)
      if (pool_of.has(node) && pool_of[node] != kNone) known.stale[pool_of[node]] = 1;
  known.rated.resize(pools);
}

IndexedSpan<PoolIndex, std::optional<Rated>> Ratings::of(const Search& search, FlavorIndex flavor, LevelIndex level) {
  const GangNeed& need = search.need;
  Known& known = known_[{flavor, level, need.rule, need.task, need.nodes, need.levels}];
  const auto pools = search.inventory.pools(flavor, level);
  find_stale(known, pool_of(search.inventory, flavor, level), pools.size());
  for (const PoolIndex pool : pools.indices()) {
    if (known.stale[pool] == 0) continue;
    known.stale[pool] = 0;
    known.rated[pool] = rate(search, pools[pool], level);
  }
  return known.rated;
}

}  // namespace ym::engine
