#include "engine/cycle/passing.h"

#include "engine/quota/demand.h"

namespace ym::engine {

void KeptQuota::keep(const QuotaTree& quota, const Shape& shape, Index flavor, Rank by) {
  for (const ResourceKind kind : kKindsByWeight) {
    if (!asks_for(quota, shape, flavor, kind)) continue;
    const Index limit = quota.highest_short(shape.queue, flavor, kind, shape.total()[kind]);
    if (limit == kNone && keeper(quota, shape, flavor, kind) == kNone) continue;
    keep(queues_, shape.queue, flavor, kind, by);
    if (limit != kNone && limit != shape.queue) keep(below_, limit, flavor, kind, by);
  }
}

void KeptQuota::keep(std::vector<Rank>& keepers, Index queue, Index flavor, ResourceKind kind, Rank by) {
  if (keepers.empty()) keepers.assign(size_, kNone);
  Rank& first = keepers[at(queue, flavor, kind)];
  first = std::min(first, by);
}

Rank KeptQuota::keeper(const QuotaTree& quota, const Shape& shape, Index flavor) const {
  Rank first = kNone;
  for (const ResourceKind kind : kKindsByWeight) first = std::min(first, keeper(quota, shape, flavor, kind));
  return first;
}

Rank KeptQuota::keeper(const QuotaTree& quota, const Shape& shape, Index flavor, ResourceKind kind) const {
  // Who keeps quota below a cohort keeps that of its own queue too.
  if (queues_.empty() || !asks_for(quota, shape, flavor, kind)) return kNone;
  Rank first = queues_[at(shape.queue, flavor, kind)];
  if (below_.empty() || !would_borrow(quota, shape, flavor, kind)) return first;
  for (Index cohort = quota.parent(shape.queue); cohort != kNone; cohort = quota.parent(cohort))
    first = std::min(first, below_[at(cohort, flavor, kind)]);
  return first;
}

bool KeptQuota::stops(const QuotaTree& quota, const Shape& shape, Index flavor) const {
  return short_now(quota, shape, flavor) || keeper(quota, shape, flavor) != kNone;
}

}  // namespace ym::engine
