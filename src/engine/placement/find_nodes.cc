#include "engine/placement/find_nodes.h"

#include <algorithm>
#include <utility>

#include "engine/placement/ratings.h"

namespace ym::engine {
namespace {

// A preferred level may be outside of the required one.
bool are_where_required(const Inventory& inventory, const Levels& levels, const std::vector<NodeIndex>& nodes) {
  if (levels.required == kNone) return true;
  const auto domain = [&](NodeIndex node) { return inventory.topology.domain(levels.required, node); };
  const DomainIndex first = domain(nodes.front());
  return first != kNone && std::ranges::all_of(nodes, [&](NodeIndex node) { return domain(node) == first; });
}

// Keeps the best offer, of equals the first.
class Best {
 public:
  explicit Best(const Search& search) : search_(search) {}

  void offer(const Rated& rated, ClusterIndex cluster) {
    if (best_ && least_ <= rated.rating) return;
    if (!are_where_required(search_.inventory, search_.need.levels, rated.nodes)) return;
    least_ = rated.rating;
    best_ = Nodes{.cluster = cluster, .nodes = rated.nodes};
  }
  std::optional<Nodes> take() { return std::move(best_); }

 private:
  const Search& search_;
  Rating least_;
  std::optional<Nodes> best_;
};

std::optional<Nodes> best_of(const Search& search, FlavorIndex flavor, LevelIndex level) {
  Best best(search);
  const auto pools = search.inventory.pools(flavor, level);
  if (Ratings* const known = search.access.ratings(); known && pools.size() > 1 && search.when == When::now) {
    const auto rated = known->of(search, flavor, level);
    for (const PoolIndex pool : pools.indices())
      if (rated[pool]) best.offer(*rated[pool], pools[pool].cluster);
    return best.take();
  }
  for (const Pool& pool : pools)
    if (const auto rated = rate(search, pool, level)) best.offer(*rated, pool.cluster);
  return best.take();
}

std::optional<Nodes> best_of(const Search& search, const Flavors& flavors, LevelIndex level) {
  if (!flavors.is_mix()) return best_of(search, flavors.only(), level);
  Best best(search);
  for (const Pool& pool : search.inventory.pools(flavors.first(), level))
    if (const auto rated = rate_parts(search, pool, flavors, level)) best.offer(*rated, pool.cluster);
  return best.take();
}

}  // namespace

std::optional<Nodes> find_nodes(const Inventory& inventory, const Scorer& scorer, const Flavors& flavors,
                                const GangNeed& need, const Access& access, When when) {
  const Search search{.inventory = inventory, .scorer = scorer, .need = need, .access = access, .when = when};
  const Levels& levels = need.levels;
  for (LevelIndex level = levels.preferred; level != kNone && level != levels.required;
       level = inventory.topology.outside(level))
    if (auto found = best_of(search, flavors, level)) return found;
  return best_of(search, flavors, levels.required);
}

}  // namespace ym::engine
