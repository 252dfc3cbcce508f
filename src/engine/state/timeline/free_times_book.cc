#include "engine/state/timeline/free_times_book.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace ym::engine {
namespace {

// A task that takes some whole GPUs of a node prefers the node with the fewest left: so free_steps are needed. For a
// task that takes all of them they are not.
bool wants_free_steps(const Inventory& inventory, const NodeNeed& task, const FreeTimes& free_times) {
  const auto devices = [&](const FreeTimes::Node& one) { return std::popcount(inventory.of_profile(one.node, kNone)); };
  return task.devices > 0 && task.profile == kNone &&
         std::ranges::all_of(
             free_times.nodes(),
             [&](const auto& one) { return std::cmp_less_equal(devices(one), FreeSteps::kMostDevices); }) &&
         std::ranges::any_of(free_times.nodes(), [&](const auto& one) { return devices(one) > task.devices; });
}

}  // namespace

void FreeTimesBook::follow(const Inventory& inventory, const Rules& rules) {
  if (as_of_ == inventory.changes() && rules_ == rules) return;
  as_of_ = inventory.changes();
  rules_ = rules;
  kept_.clear();
}

FreeTimes& FreeTimesBook::of(const Inventory& inventory, const GangNeed& need, NeedIndex index, FlavorIndex flavor,
                             const Hardware& hardware) {
  Kept& kept = kept_[{.flavor = flavor, .rule = need.rule, .level = need.levels.required, .task = need.task}];
  if (std::ranges::find(kept.needs, index) == kept.needs.end()) kept.needs.push_back(index);
  FreeTimes& free_times = kept.free_times;
  if (!free_times.empty()) return free_times;
  for (const PoolIndex pool : hardware.serving.indices())
    for (const NodeIndex node : hardware.serving[pool]) free_times.add(node, pool);
  if (wants_free_steps(inventory, need.task, free_times)) free_times.keep_free_steps();
  return free_times;
}

void FreeTimesBook::forget(NeedIndex index) {
  for (auto& [asked, kept] : kept_) std::erase(kept.needs, index);
  std::erase_if(kept_, [](const auto& one) { return one.second.needs.empty(); });
}

}  // namespace ym::engine
