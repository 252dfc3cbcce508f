#include "papers/placement/plain_policies.h"

#include <algorithm>

namespace ym::sim::placement {
namespace {

constexpr std::int64_t kBest = 100;
constexpr std::int64_t kMostCpuMilli = 128'000, kMostGpuMilli = 8'000;  // of any node

Offer scored(std::int64_t score, const Shape& shape, const Room& room) {
  return {.cost = static_cast<Cost>(kBest - score), .gpus = tightest_gpus(room, shape)};
}

}  // namespace

Offer RandomPolicy::offer(const Shape& shape, Node /*node*/, const Room& room) {
  if (!shape.shares()) return {.cost = 0, .gpus = tightest_gpus(room, shape)};
  std::array<std::size_t, kMostGpus> roomy{};
  std::size_t count = 0;
  for (std::size_t i = 0; i < kMostGpus; ++i)
    if (room.free[i] >= shape.gpu_milli) roomy[count++] = i;
  return {.cost = 0, .gpus = static_cast<GpuMask>(1U << roomy[random_.below(count)])};
}

Node RandomPolicy::choose(std::span<const Cost> costs) {
  const auto roomy = static_cast<std::uint64_t>(std::ranges::count(costs, Cost{0}));
  if (roomy == 0) return 0;
  std::uint64_t left = random_.below(roomy);
  Node node = 0;
  while (costs[node] == kNoRoom || left > 0) {
    left -= costs[node] != kNoRoom;
    node += 1;
  }
  return node;
}

Offer DotProductPolicy::offer(const Shape& shape, Node /*node*/, const Room& room) {
  constexpr std::int64_t kAll = 2 * kMostCpuMilli * kMostCpuMilli * (kMostGpuMilli / 1000) * (kMostGpuMilli / 1000);
  const std::int64_t cpus =
      std::int64_t{room.cpu_milli} * shape.cpu_milli * (kMostGpuMilli / 1000) * (kMostGpuMilli / 1000);
  const std::int64_t gpus =
      std::int64_t{room.idle_milli()} * shape.total_milli() * (kMostCpuMilli / 1000) * (kMostCpuMilli / 1000);
  return scored((kAll - cpus - gpus) * kBest / kAll, shape, room);
}

Offer GpuClusteringPolicy::offer(const Shape& shape, Node node, const Room& room) {
  if (shape.gpus == 0) return scored(0, shape, room);
  constexpr std::int64_t kQuarter = kBest / 4;
  const auto found = pods_.find(node);
  std::int64_t classes = 0;
  if (found != pods_.end()) classes = std::ranges::count_if(found->second, [](std::int32_t pods) { return pods > 0; });
  const auto own = static_cast<std::size_t>(shape.shares() ? 0 : shape.gpus);
  const bool together = classes > 0 && found->second[own] > 0;
  const std::int64_t rank = together ? (classes == 1 ? 3 : 2) : (classes == 0 ? 1 : 0);
  return scored(rank * kQuarter + kQuarter * (kMostGpuMilli - room.idle_milli()) / kMostGpuMilli, shape, room);
}

void GpuClusteringPolicy::moved(const Shape& shape, Node node, std::int32_t pods) {
  if (shape.gpus > 0) pods_[node][static_cast<std::size_t>(shape.shares() ? 0 : shape.gpus)] += pods;
}

Offer GpuPackingPolicy::offer(const Shape& shape, Node /*node*/, const Room& room) {
  if (shape.gpus == 0) return scored(0, shape, room);
  const std::int64_t whole = room.whole();
  if (whole == room.gpus) return scored(std::max(kBest / 3 - whole, whole), shape, room);
  const GpuMask gpus = tightest_gpus(room, shape);
  std::int64_t opened = 0, free = 0;
  for (std::size_t i = 0; i < kMostGpus; ++i) {
    if ((gpus >> i & 1U) == 0) continue;
    opened += room.free[i] == kWholeGpu;
    free += room.free[i] * kBest / kWholeGpu;
  }
  const std::int64_t score =
      opened > 0 ? std::max(kBest / 2 - opened, kBest / 3) : std::max(kBest - free / 10, kBest / 2);
  return {.cost = static_cast<Cost>(kBest - score), .gpus = gpus};
}

Offer BestFitPolicy::offer(const Shape& shape, Node /*node*/, const Room& room) {
  constexpr std::int64_t kAll = 2 * kMostCpuMilli * (kMostGpuMilli / 1000);
  const std::int64_t cpus = std::int64_t{room.cpu_milli - shape.cpu_milli} * (kMostGpuMilli / 1000);
  const std::int64_t gpus = std::int64_t{room.idle_milli() - shape.total_milli()} * (kMostCpuMilli / 1000);
  return scored((kAll - cpus - gpus) * kBest / kAll, shape, room);
}

}  // namespace ym::sim::placement
