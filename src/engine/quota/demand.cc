#include "engine/quota/demand.h"

#include <algorithm>

namespace ym::engine {
namespace {

template <class Limit>
std::optional<Shortage> first_short(const QuotaTree& quota, const Shape& shape, Index flavor, Limit limit) {
  const ResourceVector total = shape.total();
  for (const ResourceKind kind : kKindsByWeight) {
    // Who asks for nothing is not held back by a quota that others have overdrawn.
    if (total[kind] == 0 || !quota.limited(shape.queue, flavor, kind)) continue;
    const Bound bound = limit(kind);
    if (total[kind] > bound.amount) return Shortage{.kind = kind, .needed = total[kind], .bound = bound};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Shortage> short_now(const QuotaTree& quota, const Shape& shape, Index flavor) {
  return first_short(quota, shape, flavor,
                     [&](ResourceKind kind) { return quota.available(shape.queue, flavor, kind); });
}

std::optional<Shortage> short_forever(const QuotaTree& quota, const Shape& shape, Index flavor) {
  return first_short(quota, shape, flavor,
                     [&](ResourceKind kind) { return quota.potential(shape.queue, flavor, kind); });
}

bool cohort_is_short(const QuotaTree& quota, const Shape& shape, Index flavor) {
  return first_short(
             quota, shape, flavor,
             [&](ResourceKind kind) { return Bound{.amount = quota.available_unbound(shape.queue, flavor, kind)}; })
      .has_value();
}

bool would_borrow(const QuotaTree& quota, const Shape& shape, Index flavor) {
  const ResourceVector total = shape.total();
  return std::ranges::any_of(kKindsByWeight, [&](ResourceKind kind) {
    return total[kind] > 0 && quota.limited(shape.queue, flavor, kind) &&
           quota.usage(shape.queue, flavor, kind) + total[kind] > quota.subtree(shape.queue, flavor, kind);
  });
}

}  // namespace ym::engine
