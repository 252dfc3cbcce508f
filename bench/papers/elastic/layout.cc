#include "papers/elastic/layout.h"

#include <algorithm>
#include <numeric>

namespace ym::sim::elastic {
namespace {

Count smallest_rotation(std::span<const Count> per_node) {
  Count smallest = ~Count{0};
  for (std::size_t first = 0; first < per_node.size(); ++first) {
    Count digits = 0;
    for (std::size_t i = 0; i < per_node.size(); ++i) digits = digits * 10 + per_node[(first + i) % per_node.size()];
    smallest = std::min(smallest, digits);
  }
  return smallest;
}

}  // namespace

Layout layout_of(std::span<const Count> per_node) {
  if (per_node.empty()) return {};
  Layout layout{.digits = 0, .nodes = static_cast<Count>(per_node.size()), .gpus = 0};
  layout.gpus = std::accumulate(per_node.begin(), per_node.end(), Count{0});
  if (per_node.size() <= kListedNodes) layout.digits = smallest_rotation(per_node);
  return layout;
}

Layout packed_layout(Count gpus, Count gpus_per_node) {
  std::vector<Count> per_node;
  for (Count left = gpus; left > 0; left -= per_node.back()) per_node.push_back(std::min(left, gpus_per_node));
  return layout_of(per_node);
}

Count gpus_of(const Allocation& allocation) {
  Count gpus = 0;
  for (const NodeShare& share : allocation) gpus += share.gpus;
  return gpus;
}

Layout layout_of(const Allocation& allocation) {
  std::vector<Count> per_node;
  for (const NodeShare& share : allocation) per_node.push_back(share.gpus);
  return layout_of(per_node);
}

}  // namespace ym::sim::elastic
