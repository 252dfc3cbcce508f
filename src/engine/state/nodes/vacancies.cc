#include "engine/state/nodes/vacancies.h"

#include <algorithm>
#include <utility>

namespace ym::engine {

void Vacancies::look_at_all(Known& known, const Inventory& inventory, const Pool& pool) {
  known.places.clear();
  const auto [lowest, highest] = std::ranges::minmax(pool.nodes);
  known.first = lowest;
  known.place_of.assign(highest - lowest + 1, kNone);
  for (const PlaceInPool place : pool.nodes.indices()) {
    known.place_of[pool.nodes[place] - lowest] = place;
    if (inventory.free_devices(pool.nodes[place]) != 0) known.places.push_back(place);
  }
  constexpr std::size_t kFew = 64;
  known.most = 2 * known.places.size() + kFew;
}

void Vacancies::add(Known& known, PlaceInPool place) {
  const auto at = std::ranges::lower_bound(known.places, place);
  if (at == known.places.end() || *at != place) known.places.insert(at, place);
}

// A node that became full stays in the list for a while: a look at it costs less than to find it here.
std::optional<std::span<const PlaceInPool>> Vacancies::of(const Inventory& inventory, const TouchLog& touches,
                                                          const Pool& pool) {
  if (pool.nodes.empty() || pool.nodes.size() < least_nodes_) return std::nullopt;
  if (std::exchange(as_of_, inventory.changes()) != inventory.changes()) known_.clear();
  Known& known = known_[&pool];
  const auto touched = known.seen ? touches.since(*known.seen) : std::nullopt;
  known.seen = touches.end();
  if (!touched || known.places.size() > known.most) {
    look_at_all(known, inventory, pool);
    return known.places;
  }
  for (const NodeIndex node : *touched)
    if (const PlaceInPool place = known.place(node); place != kNone && inventory.free_devices(node) != 0)
      add(known, place);
  return known.places;
}

}  // namespace ym::engine
