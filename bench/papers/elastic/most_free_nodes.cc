#include "papers/elastic/most_free_nodes.h"

#include <algorithm>

#include "base/assert.h"

namespace ym::sim::elastic {

void FreeNodes::take(const Allocation& allocation) {
  for (const NodeShare& share : allocation) {
    YM_ASSERT(free_[share.node] >= share.gpus);
    free_[share.node] -= share.gpus;
  }
}

Allocation FreeNodes::give(Count gpus) {
  Allocation allocation;
  for (Count left = gpus; left > 0;) {
    const auto most = std::ranges::max_element(free_);
    const Count given = std::min(*most, left);
    YM_ASSERT(given > 0);
    allocation.push_back({.node = static_cast<Count>(most - free_.begin()), .gpus = given});
    *most -= given;
    left -= given;
  }
  return allocation;
}

}  // namespace ym::sim::elastic
