// Quota trees without usage: in the same units, and in the units of decayed usage.
#include <algorithm>

#include "engine/quota/quota_tree.h"
#include "model/usage.h"

namespace ym::engine {

QuotaTree QuotaTree::unused() const {
  QuotaTree other = *this;
  for (Cell& cell : other.cells_) cell.usage = cell.direct = cell.lent_below = 0;
  return other;
}

QuotaTree QuotaTree::fine_and_unused() const {
  // Sums of quotas are at most 2^60; larger amounts count as 2^60.
  const auto finer = [](std::int64_t amount, std::size_t kind) {
    constexpr __int128 kMost = std::int64_t{1} << 60;
    return static_cast<std::int64_t>(
        std::min<__int128>(kMost, static_cast<__int128>(amount) * fineness(resource_kind(kind))));
  };
  QuotaTree other = unused();
  for (std::size_t i = 0; i < other.cells_.size(); ++i) {
    Cell& cell = other.cells_[i];
    const std::size_t kind = i % kResourceKinds;
    for (auto* limit : {&cell.borrowing_limit, &cell.lending_limit})
      if (*limit) **limit = finer(**limit, kind);
    for (auto* amount : {&cell.subtree, &cell.local}) *amount = finer(*amount, kind);
  }
  for (Node& node : other.nodes_)
    for (std::size_t kind = 0; kind < kResourceKinds; ++kind)
      node.lendable.amounts[kind] = finer(node.lendable.amounts[kind], kind);
  return other;
}

}  // namespace ym::engine
