#include "engine/placement/choose.h"

#include <utility>

#include "engine/placement/best_fit.h"

namespace ym::engine {
namespace {

// The first `count` of the bits set in `free`, in the order of the inventory.
std::uint64_t lowest_devices(std::uint64_t free, std::int64_t count) {
  std::uint64_t taken = 0;
  for (; count > 0; --count) {
    const std::uint64_t lowest = free & (~free + 1);
    taken |= lowest;
    free ^= lowest;
  }
  return taken;
}

}  // namespace

std::optional<Choice> choose(const Inventory& inventory, Index flavor, const GangNeed& need,
                             const std::vector<Index>& barred) {
  auto nodes = best_fit(inventory, flavor, need, barred);
  if (!nodes) return std::nullopt;
  Choice choice{.nodes = std::move(*nodes), .devices = {}};
  for (const Index node : choice.nodes.nodes)
    choice.devices.push_back(lowest_devices(inventory.free_devices(node), need.task.devices));
  return choice;
}

}  // namespace ym::engine
