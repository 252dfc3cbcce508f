#include "engine/state/room_book.h"

namespace ym::engine {

void RoomBook::follow(const Inventory& inventory, const Rules& rules) {
  if (as_of_ == inventory.changes() && rules_ == rules) return;
  as_of_ = inventory.changes();
  rules_ = rules;
  rooms_.clear();
}

Rooms& RoomBook::of(Index need, Index flavor, const Hardware& hardware) {
  Rooms& rooms = rooms_[{need, flavor}];
  if (!rooms.empty()) return rooms;
  for (Index pool = 0; pool < hardware.serving.size(); ++pool)
    for (const Index node : hardware.serving[pool]) rooms.add(node, pool);
  return rooms;
}

void RoomBook::forget(Index need) { rooms_.erase(rooms_.lower_bound({need, 0}), rooms_.lower_bound({need + 1, 0})); }

}  // namespace ym::engine
