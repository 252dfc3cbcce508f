#include "papers/placement/waste_policy.h"

#include "papers/placement/each_gpu.h"
#include "papers/placement/type_costs.h"
#include "papers/placement/waste_cells.h"

namespace ym::sim::placement {

WastePolicy::WastePolicy(const WasteTable::Content& content, const Fleet& fleet)
    : table_(content), type_costs_(node_costs(content.type_cost_milli, fleet)), now_(fleet.rooms.size()) {}

std::int64_t WastePolicy::waste_of(const Room& room) const {
  const std::int32_t idle = room.idle_milli();
  if (idle == 0) return 0;
  const Steps steps = steps_of(room, idle);
  const std::int32_t whole = room.whole();
  std::int64_t waste = whole > 0 ? table_.of_whole(whole, steps.cpus, steps.memory) : 0;
  for (const std::int32_t free : room.free)
    if (free > 0 && free < kWholeGpu) waste += table_.of_shared(free, steps.cpus, steps.memory);
  return waste;
}

void WastePolicy::changed(Node node, const Room& room) { now_[node] = waste_of(room); }

Offer WastePolicy::offer(const Shape& shape, Node node, const Room& room) {
  const std::int64_t type_cost = shape.total_milli() * type_costs_[node] / kWholeGpu;
  const auto score = [&](const Room& left) { return curve_.cost(now_[node] - waste_of(left) - type_cost); };
  const GpuChoice choice = choose_gpus(room, shape, true, score);
  return {.cost = score_then_best_fit(choice.score, room), .gpus = choice.gpus};
}

}  // namespace ym::sim::placement
