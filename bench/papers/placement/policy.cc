#include "papers/placement/policy.h"

#include <algorithm>

namespace ym::sim::placement {
namespace {

// What does not fit into its bits counts as the most that does.
Cost ranked(std::int64_t score, std::int32_t size, const Room& room) {
  constexpr unsigned kSizeBits = 4, kGpuBits = 13, kCpuBits = 18, kMemoryBits = 21;
  const auto part = [](std::int32_t value, unsigned bits) {
    return std::min<Cost>(static_cast<Cost>(value), (Cost{1} << bits) - 1);
  };
  Cost cost = static_cast<Cost>(score);
  cost = cost << kSizeBits | part(size, kSizeBits);
  cost = cost << kGpuBits | part(room.idle_milli(), kGpuBits);
  cost = cost << kCpuBits | part(room.cpu_milli, kCpuBits);
  return cost << kMemoryBits | part(room.memory_mib, kMemoryBits);
}

}  // namespace

Node Policy::choose(std::span<const Cost> costs) {
  return static_cast<Node>(std::ranges::min_element(costs) - costs.begin());
}

Cost score_then_best_fit(std::int64_t score, const Room& room) { return ranked(score, 0, room); }

Cost score_then_small_nodes(std::int64_t score, const Room& room) { return ranked(score, room.gpus, room); }

}  // namespace ym::sim::placement
