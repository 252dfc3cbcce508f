// The earliest time at which all parts of a gang find room, each in a pool of its flavor.
#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "engine/placement/together.h"
#include "engine/reserve/pool_times.h"

namespace ym::engine {
namespace {

Wish part_of(const Wish& wish, PartIndex part) {
  Wish own = wish;
  own.need = wish.need.of_part(part);
  own.flavors = wish.flavors.of(part);
  return own;
}

// The parts that could use each node.
std::map<NodeIndex, PartMask> masks_of(const IndexedVector<PartIndex, std::vector<NodeIndex>>& nodes) {
  std::map<NodeIndex, PartMask> masks;
  for (const PartIndex part : nodes.indices())
    for (const NodeIndex node : nodes[part]) masks[node] |= mask_of(bit_of(part));
  return masks;
}

}  // namespace

// Whether the nodes are enough for all parts at once. Nodes of different flavors do not compete.
Together Reservations::together(const Parts& parts, const Starts& starts) {
  IndexedVector<PartBit, std::size_t> wanted;
  IndexedVector<PartIndex, std::vector<NodeIndex>> nodes(starts.size());
  for (const PartIndex part : parts.indices()) {
    wanted.push_back(parts[part].wish.need.nodes);
    for (const Start::Node& one : starts[part].nodes) nodes[part].push_back(one.node);
  }
  Together together(wanted);
  for (const auto& [node, mask] : masks_of(nodes)) together.add(mask);
  return together;
}

// More nodes have room only where a span begins.
Minute Reservations::next_begin(const Parts& parts, Minute after, const Keepers& barred) const {
  Minute next = kNoMinute;
  for (const PartOfGang& part : parts)
    for (const Minute begin : times_of(part.pool, part.wish, barred).begins())
      if (begin > after) next = std::min(next, begin);
  return next;
}

// The part with the latest minute sets from when the others are searched.
std::optional<Reservations::Starts> Reservations::earliest_together(const Parts& parts, const Keepers& barred) const {
  Minute minute = 0;
  for (std::size_t alike = 0; alike < parts.size();) {
    for (const PartOfGang& part : parts) {
      Wish later = part.wish;
      later.not_before = std::max(later.not_before, minute);
      const auto start = earliest_in(part.pool, later, barred);
      if (!start) return std::nullopt;
      alike = start->minute == minute ? alike + 1 : 1;
      minute = start->minute;
      if (alike >= parts.size()) break;
    }
    if (alike < parts.size()) continue;
    // One node may have had room for different times for different parts.
    Starts starts;
    for (const PartOfGang& part : parts) starts.push_back(times_of(part.pool, part.wish, barred).start_at(minute));
    if (together(parts, starts).is_enough()) return starts;
    minute = next_begin(parts, minute, barred);
    if (minute == kNoMinute) return std::nullopt;
    alike = 0;
  }
  return std::nullopt;
}

// Part by part: the nodes that have had room for the shortest time and leave enough to the other parts.
std::vector<NodeIndex> Reservations::latest_together(const Parts& parts, const Starts& starts) const {
  IndexedVector<PartIndex, std::vector<NodeIndex>> nodes(starts.size());
  for (const PartIndex part : starts.indices())
    for (const Start::Node& one : starts[part].nodes) nodes[part].push_back(one.node);
  auto masks = masks_of(nodes);
  Together left = together(parts, starts);
  std::vector<NodeIndex> chosen;
  for (const PartIndex part : parts.indices()) {
    std::vector<NodeIndex> own;
    for (const NodeIndex node : in_order_of_choice(parts[part].wish, starts[part])) {
      if (own.size() == parts[part].wish.need.nodes) break;
      PartMask& mask = masks[node];
      if (mask == 0 || !left.take(bit_of(part), mask)) continue;
      mask = 0;
      own.push_back(node);
    }
    std::ranges::sort(own, {}, [&](NodeIndex node) -> const std::string& { return state_.inventory.node_names[node]; });
    chosen.insert(chosen.end(), own.begin(), own.end());
  }
  return chosen;
}

// The pool of each part if the first part uses `pool`; nothing: another part has none there.
std::optional<Reservations::Parts> Reservations::parts_at(const Wish& wish, const Pool& pool,
                                                          const FreeTimesOfParts& free_times) const {
  const Inventory& inventory = state_.inventory;
  const LevelIndex level = wish.need.levels.required;
  Parts parts;
  for (const PartIndex part : free_times.indices()) {
    const FlavorIndex flavor = wish.flavors.of(part);
    const Pool* here = part == PartIndex{0} ? &pool : inventory.pool_beside(pool, flavor, level);
    if (!here) return std::nullopt;
    const FreeTimes::Range own = free_times[part]->of_pool(inventory.index_of(*here, flavor, level));
    parts.push_back({part_of(wish, part), free_times[part]->nodes_of(own)});
  }
  return parts;
}

std::optional<Booking> Reservations::earliest_of_parts(const Wish& wish, const Keepers& barred,
                                                       const FreeTimesOfParts& free_times) const {
  for (const PartIndex part : free_times.indices()) renew(*free_times[part], wish.need.of_part(part).task);
  std::optional<Booking> best;
  for (const Pool& pool : state_.inventory.pools(wish.flavors.first(), wish.need.levels)) {
    const auto parts = parts_at(wish, pool, free_times);
    if (!parts) continue;
    const auto starts = earliest_together(*parts, barred);
    if (!starts) continue;
    const Minute from = (*starts)[PartIndex{0}].minute;
    if (best && best->from <= from) continue;
    best = booking(wish, from, pool.cluster);
    best->nodes = latest_together(*parts, *starts);
  }
  return best;
}

}  // namespace ym::engine
