#include <algorithm>

#include "engine/quota/quota_tree.h"

namespace ym::engine {

std::int64_t QuotaTree::borrowed_below(Index cohort, Index but, Index flavor, ResourceKind kind) const {
  std::int64_t borrowed = 0;
  for (Index child = 0; child < nodes_.size(); ++child) {
    if (nodes_[child].parent != cohort || child == but) continue;
    const Cell& one = cell(child, flavor, kind);
    borrowed += std::max<std::int64_t>(0, one.usage - one.subtree);
  }
  return borrowed;
}

// The same sum as `highest_short`, with less in use.
bool QuotaTree::is_short_by_right(Index queue, Index flavor, ResourceKind kind, std::int64_t needed) const {
  std::int64_t used = 0;
  for (Index cohort = parent(queue); cohort != kNone; cohort = parent(queue)) {
    const Cell& own = cell(queue, flavor, kind);
    needed -= std::max<std::int64_t>(0, own.local - used);
    if (own.borrowing_limit && needed > from_above(own, used)) return true;
    const std::int64_t of_others = cell(cohort, flavor, kind).usage - std::max<std::int64_t>(0, own.usage - own.local);
    used = std::max<std::int64_t>(0, used - own.local) + of_others - borrowed_below(cohort, queue, flavor, kind);
    queue = cohort;
  }
  return needed > cell(queue, flavor, kind).subtree - used;
}

}  // namespace ym::engine
