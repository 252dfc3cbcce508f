// The earliest time at which an anchor finds room, and those beside it find theirs.
#include <algorithm>
#include <utility>

#include "engine/reserve/reservations.h"

namespace ym::engine {
namespace {

Wish part_of(const Wish& wish, Index flavor, std::size_t tasks) {
  Wish part = wish;
  part.need = wish.need.part(tasks);
  part.flavors = flavor;
  return part;
}

std::span<const Rooms::Node> of_pool(const Rooms& rooms, Index pool) {
  return std::ranges::equal_range(rooms.nodes, pool, {}, &Rooms::Node::pool);
}

}  // namespace

// Whichever comes later says from when on the other is looked for.
std::optional<Reservations::Starts> Reservations::earliest_together(const PartOfMix& anchor, const PartOfMix& rest,
                                                                    const std::vector<Index>& barred) const {
  Wish later = rest.wish, sooner = anchor.wish;
  while (true) {
    const auto first = earliest_in(anchor.pool, sooner, barred);
    if (!first) return std::nullopt;
    later.not_before = std::max(later.not_before, first->minute);
    const auto second = earliest_in(rest.pool, later, barred);
    if (!second) return std::nullopt;
    sooner.not_before = second->minute;
    // Since when the nodes of one part have had room is not since when the other part has.
    if (second->minute == first->minute)
      return Starts{.anchor = start_at(first->minute, anchor, barred), .rest = start_at(first->minute, rest, barred)};
  }
}

std::optional<Booking> Reservations::earliest_of_mix(const Wish& wish, const std::vector<Index>& barred,
                                                     RoomsOfMix rooms) const {
  const Inventory& inventory = state_.inventory;
  const Wish anchor = part_of(wish, wish.flavors.anchor(), wish.need.anchor);
  const Wish rest = part_of(wish, wish.flavors.rest(), wish.need.nodes - wish.need.anchor);
  renew(rooms.anchor, anchor);
  renew(rooms.rest, rest);
  const auto pools = inventory.pools(wish.flavors.anchor(), wish.need.levels);
  const auto others = inventory.pools(wish.flavors.rest(), wish.need.levels);
  std::optional<Starts> best;
  Index cluster = kNone;
  for (Index pool = 0; pool < pools.size(); ++pool) {
    const Pool* beside = inventory.pool_beside(pools[pool], wish.flavors.rest(), wish.need.levels.required);
    if (!beside) continue;
    auto found = earliest_together({anchor, of_pool(rooms.anchor, pool)},
                                   {rest, of_pool(rooms.rest, static_cast<Index>(beside - others.data()))}, barred);
    if (!found || (best && best->anchor.minute <= found->anchor.minute)) continue;
    best = std::move(found);
    cluster = pools[pool].cluster;
  }
  if (!best) return std::nullopt;
  Booking found = booking(wish, best->anchor.minute, cluster);
  found.nodes = latest(anchor, best->anchor);
  for (const Index node : latest(rest, best->rest)) found.nodes.push_back(node);
  return found;
}

}  // namespace ym::engine
