#include "engine/cycle/passing.h"

#include <algorithm>
#include <limits>

namespace ym::engine {

// While it is kept usage only grows, and so does what is in vain.
bool KeptQuota::is_in_vain(const QuotaTree& quota, Index queue, const Ask& ask) {
  const Index limit = quota.highest_short(queue, ask.flavor, ask.kind, ask.amount);
  if (limit == kNone || limit == queue) return false;
  if (!in_vain_.empty() && ask.amount >= in_vain_[at(queue, ask)]) return true;
  if (!quota.is_short_by_right(queue, ask.flavor, ask.kind, ask.amount)) return false;
  if (in_vain_.empty()) in_vain_.assign(size_, std::numeric_limits<std::int64_t>::max());
  in_vain_[at(queue, ask)] = ask.amount;
  return true;
}

bool KeptQuota::keep(const QuotaTree& quota, const Shape& shape, const Flavors& flavors, Rank by) {
  if (find_ask(quota, shape, flavors, [&](const Ask& ask) { return is_in_vain(quota, shape.queue, ask); }))
    return false;
  for_each_ask(quota, shape, flavors, [&](const Ask& ask) {
    const Index limit = quota.highest_short(shape.queue, ask.flavor, ask.kind, ask.amount);
    if (limit == kNone && keeper(quota, shape, ask) == kNone) return;
    keep(queues_, shape.queue, ask, by);
    if (limit != kNone && limit != shape.queue) keep(below_, limit, ask, by);
  });
  return true;
}

void KeptQuota::keep(std::vector<Rank>& keepers, Index queue, const Ask& ask, Rank by) {
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

// Who keeps quota below a cohort keeps that of its own queue too.
Rank KeptQuota::keeper(const QuotaTree& quota, const Shape& shape, const Ask& ask) const {
  if (queues_.empty()) return kNone;
  Rank first = queues_[at(shape.queue, ask)];
  if (below_.empty() || !would_borrow(quota, shape, ask)) return first;
  for (Index cohort = quota.parent(shape.queue); cohort != kNone; cohort = quota.parent(cohort))
    first = std::min(first, below_[at(cohort, ask)]);
  return first;
}

bool KeptQuota::stops(const QuotaTree& quota, const Shape& shape, const Flavors& flavors) const {
  return short_now(quota, shape, flavors) || keeper(quota, shape, flavors) != kNone;
}

}  // namespace ym::engine
