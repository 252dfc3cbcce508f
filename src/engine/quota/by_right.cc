#include <algorithm>

#include "engine/quota/quota_tree.h"

namespace ym::engine {

// The sum of `highest_short`, with less usage.
bool QuotaTree::is_short_by_right(QueueIndex queue, FlavorIndex flavor, ResourceKind kind, std::int64_t needed) const {
  std::int64_t used = 0;
  for (QueueIndex cohort = parent(queue); cohort != kNone; cohort = parent(queue)) {
    const Cell& own = cell(queue, flavor, kind);
    needed -= std::max<std::int64_t>(0, own.local - used);
    if (own.borrowing_limit && needed > from_above(own, used)) return true;
    const Cell& above = cell(cohort, flavor, kind);
    const std::int64_t of_others = above.usage - std::max<std::int64_t>(0, own.usage - own.local);
    const std::int64_t lent_to_others = above.lent_below - own.borrowed();
    used = std::max<std::int64_t>(0, used - own.local) + of_others - lent_to_others;
    queue = cohort;
  }
  return needed > cell(queue, flavor, kind).subtree - used;
}

}  // namespace ym::engine
