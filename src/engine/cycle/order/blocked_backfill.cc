#include "engine/cycle/order/blocked_backfill.h"

#include <algorithm>

namespace ym::engine {

void KeptQuota::keep(const QuotaTree& quota, const Shape& shape, const Flavors& flavors, Rank by) {
  const auto is_in_vain = [&](const Ask& ask) {
    return quota.is_short_by_right(shape.queue, ask.flavor, ask.kind, ask.amount);
  };
  if (find_ask(quota, shape, flavors, is_in_vain)) return;
  for_each_ask(quota, shape, flavors, [&](const Ask& ask) {
    const QueueIndex limit = quota.highest_short(shape.queue, ask.flavor, ask.kind, ask.amount);
    if (limit == kNone && keeper(quota, shape, ask) == kNone) return;
    keep(queues_, shape.queue, ask, by);
    if (limit != kNone && limit != shape.queue) keep(below_, limit, ask, by);
  });
}

void KeptQuota::keep(std::vector<Rank>& keepers, QueueIndex queue, const Ask& ask, Rank by) {
  if (keepers.empty()) keepers.assign(size_, kNone);
  Rank& first = keepers[at(queue, ask)];
  first = std::min(first, by);
}

Rank KeptQuota::keeper(const QuotaTree& quota, const Shape& shape, const Flavors& flavors) const {
  Rank first = kNone;
  if (queues_.empty()) return first;
  for_each_ask(quota, shape, flavors, [&](const Ask& ask) { first = std::min(first, keeper(quota, shape, ask)); });
  return first;
}

// A job that keeps quota below a cohort keeps that of its own queue too, so an empty queues_ implies an empty below_.
Rank KeptQuota::keeper(const QuotaTree& quota, const Shape& shape, const Ask& ask) const {
  if (queues_.empty()) return kNone;
  Rank first = queues_[at(shape.queue, ask)];
  if (below_.empty() || !would_borrow(quota, shape, ask)) return first;
  for (QueueIndex cohort = quota.parent(shape.queue); cohort != kNone; cohort = quota.parent(cohort))
    first = std::min(first, below_[at(cohort, ask)]);
  return first;
}

bool KeptQuota::stops(const QuotaTree& quota, const Shape& shape, const Flavors& flavors) const {
  return short_now(quota, shape, flavors) || keeper(quota, shape, flavors) != kNone;
}

}  // namespace ym::engine
