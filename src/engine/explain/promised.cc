#include "engine/explain/promised.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

namespace ym::engine {

Promised::Promised(const Inputs& in, const PendingEntries& pending, const Tried& tried)
    : in_(in), pending_(pending), tried_(tried) {
  for (const Booking& booking : tried.reservations.all()) holders_.push_back(pending.rank_of(booking.slot));
  by_begin_.resize(holders_.size());
  std::iota(by_begin_.begin(), by_begin_.end(), BookingIndex{0});
  std::ranges::sort(by_begin_, {}, [&](BookingIndex i) { return std::pair(tried.reservations.all()[i].from, i); });
}

bool Promised::has_room(const Booking& booking, const Shape& shape, const Flavors& flavors) const {
  const Inventory& inventory = in_.state.inventory;
  const GangNeed need = shape.need();
  // The check that fails most often comes first.
  const int fewest = need.parts.empty() ? static_cast<int>(need.task.devices) : 0;
  return std::ranges::any_of(booking.nodes, [&](NodeIndex node) {
    return std::popcount(inventory.free_devices(node)) >= fewest && flavors.has(inventory.flavor_of[node]) &&
           has_room_for_some(inventory, need, node);
  });
}

// A result is reused for all shapes that need the same of each node.
Promised::Rooms& Promised::known_of(const Shape& shape, const Flavors& flavors) {
  const bool alike = !flavors.is_mix() && shape.groups.empty();
  auto& known = alike ? known_[{flavors.only(), shape.rule, shape.task}] : of_mix_;
  if (!alike) known.clear();
  known.resize(tried_.reservations.all().size());
  return known;
}

const Booking* Promised::first_before(Rank rank, const Flavors& flavors) {
  const Shape& shape = shape_of(in_, pending_, rank);
  Rooms& known = known_of(shape, flavors);
  // The reservation that begins first decides: a job that ends before that is in no reservation's way.
  const Booking* quota = nullptr;
  for (const BookingIndex i : by_begin_) {
    const Booking& booking = tried_.reservations.all()[i];
    if (holders_[i] >= rank || !overlap(booking.flavors, flavors)) continue;
    if (known[i] == Room::unknown) known[i] = has_room(booking, shape, flavors) ? Room::some : Room::none;
    if (known[i] == Room::some) return &booking;
    const bool same_tree = booking.root != kNone && booking.root == in_.state.quota.root(shape.queue);
    if (!quota && same_tree) quota = &booking;
  }
  return quota;
}

Rank Promised::next_holder(Rank rank) const {
  Rank next = kNone;
  for (const Rank holder : holders_)
    if (holder >= rank) next = std::min(next, holder);
  return next;
}

}  // namespace ym::engine
