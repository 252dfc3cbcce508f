#include "engine/state/room_book.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace ym::engine {
namespace {

// Of who takes some whole GPUs of nodes it is asked which of them it would leave with the fewest. Where it takes all
// of them that is no question.
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
