#include "engine/state/room_book.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace ym::engine {
namespace {

// A task that takes some whole GPUs of a node prefers the node with the fewest left: so ladders are needed. For a task
// that takes all of them they are not.
bool wants_ladders(const Inventory& inventory, const NodeNeed& task, const Rooms& rooms) {
  const auto devices = [&](const Rooms::Node& one) { return std::popcount(inventory.of_profile(one.node, kNone)); };
  return task.devices > 0 && task.profile == kNone &&
         std::ranges::all_of(rooms.nodes(),
                             [&](const auto& one) { return std::cmp_less_equal(devices(one), Ladder::kRungs); }) &&
         std::ranges::any_of(rooms.nodes(), [&](const auto& one) { return devices(one) > task.devices; });
}

}  // namespace

void RoomBook::follow(const Inventory& inventory, const Rules& rules) {
  if (as_of_ == inventory.changes() && rules_ == rules) return;
  as_of_ = inventory.changes();
  rules_ = rules;
  kept_.clear();
}

Rooms& RoomBook::of(const Inventory& inventory, const GangNeed& need, NeedIndex index, FlavorIndex flavor,
                    const Hardware& hardware) {
  Kept& kept = kept_[{.flavor = flavor, .rule = need.rule, .level = need.levels.required, .task = need.task}];
  if (std::ranges::find(kept.needs, index) == kept.needs.end()) kept.needs.push_back(index);
  Rooms& rooms = kept.rooms;
  if (!rooms.empty()) return rooms;
  for (Index pool = 0; pool < hardware.serving.size(); ++pool)
    for (const NodeIndex node : hardware.serving[pool]) rooms.add(node, pool);
  if (wants_ladders(inventory, need.task, rooms)) rooms.keep_ladders();
  return rooms;
}

void RoomBook::forget(NeedIndex index) {
  for (auto& [asked, kept] : kept_) std::erase(kept.needs, index);
  std::erase_if(kept_, [](const auto& one) { return one.second.needs.empty(); });
}

}  // namespace ym::engine
