#include "papers/service/nodes.h"

#include <algorithm>

#include "base/assert.h"

namespace ym::sim::service {

std::optional<Placement> Nodes::find(Count gpus, Fit fit) const {
  if (gpus > all_free_) return std::nullopt;
  Placement found;
  Count whole = gpus / per_node_;
  for (std::size_t node = 0; node < free_.size() && whole > 0; ++node) {
    if (free_[node] < per_node_) continue;
    found.push_back({.node = node, .gpus = per_node_});
    --whole;
  }
  if (whole > 0) return std::nullopt;
  const Count rest = gpus % per_node_;
  if (rest == 0) return found;
  std::optional<std::size_t> last;
  for (std::size_t node = 0; node < free_.size(); ++node) {
    if (free_[node] < rest || gpus_on(found, node) > 0) continue;
    if (!last || (fit == Fit::best && free_[node] < free_[*last])) last = node;
  }
  if (!last) return std::nullopt;
  found.push_back({.node = *last, .gpus = rest});
  return found;
}

void Nodes::take(const Placement& placement) {
  for (const NodeShare& share : placement) {
    free_[share.node] -= share.gpus;
    all_free_ -= share.gpus;
    YM_ASSERT(free_[share.node] >= 0);
  }
}

void Nodes::give_back(const Placement& placement) {
  for (const NodeShare& share : placement) {
    free_[share.node] += share.gpus;
    all_free_ += share.gpus;
    YM_ASSERT(free_[share.node] <= per_node_);
  }
}

Count gpus_on(const Placement& placement, std::size_t node) {
  Count gpus = 0;
  for (const NodeShare& share : placement)
    if (share.node == node) gpus += share.gpus;
  return gpus;
}

}  // namespace ym::sim::service
