#include "engine/placement/ratings.h"

#include <algorithm>

namespace ym::engine {

void Ratings::find_stale(Known& known, std::span<const Pool> pools) const {
  const auto touched = known.rated.empty() ? std::nullopt : touches_.since(known.seen);
  known.seen = touches_.end();
  if (!touched) known.stale.assign(pools.size(), 1);
  else
    for (const Index node : *touched)
      if (node < known.pool_of.size() && known.pool_of[node] != kNone) known.stale[known.pool_of[node]] = 1;
}

std::span<const std::optional<Rated>> Ratings::of(const Search& search, Index flavor, Index level) {
  const GangNeed& need = search.need;
  Known& known = known_[{flavor, level, need.rule, need.task, need.nodes, need.levels}];
  const auto pools = search.inventory.pools(flavor, level);
  find_stale(known, pools);
  if (known.rated.empty()) {
    known.rated.resize(pools.size());
    known.pool_of.assign(search.inventory.rows.size(), kNone);
    for (Index pool = 0; pool < pools.size(); ++pool)
      for (const Index node : pools[pool].nodes) known.pool_of[node] = pool;
  }
  for (std::size_t pool = 0; pool < pools.size(); ++pool) {
    if (known.stale[pool] == 0) continue;
    known.stale[pool] = 0;
    known.rated[pool] = rate(search, pools[pool], level);
  }
  return known.rated;
}

}  // namespace ym::engine
