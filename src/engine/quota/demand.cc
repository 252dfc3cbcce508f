#include "engine/quota/demand.h"

#include <algorithm>

namespace ym::engine {
namespace {

template <class Limit>
std::optional<Shortage> first_short(const QuotaTree& quota, const Shape& shape, Index flavor, Limit limit) {
  const ResourceVector total = shape.total();
  for (const ResourceKind kind : kKindsByWeight) {
    if (!asks_for(quota, shape, flavor, kind)) continue;
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

bool asks_for(const QuotaTree& quota, const Shape& shape, Index flavor, ResourceKind kind) {
  // Who asks for nothing is not held back by a quota that others have overdrawn.
  return shape.task[kind] > 0 && quota.limited(shape.queue, flavor, kind);
}

bool asks_for_any(const QuotaTree& quota, const Shape& shape, Index flavor) {
  return !asked_kinds(quota, shape, flavor).empty();
}

Kinds asked_kinds(const QuotaTree& quota, const Shape& shape, Index flavor) {
  Kinds kinds;
  for (const ResourceKind kind : kKindsByWeight)
    if (asks_for(quota, shape, flavor, kind)) kinds.add(kind);
  return kinds;
}

Kinds short_kinds(const QuotaTree& quota, const Shape& shape, Index flavor) {
  Kinds kinds;
  for (const ResourceKind kind : kKindsByWeight)
    if (asks_for(quota, shape, flavor, kind) && shape.total()[kind] > quota.available(shape.queue, flavor, kind).amount)
      kinds.add(kind);
  return kinds;
}

bool would_borrow(const QuotaTree& quota, const Shape& shape, Index flavor, ResourceKind kind) {
  return asks_for(quota, shape, flavor, kind) &&
         quota.usage(shape.queue, flavor, kind) + shape.total()[kind] > quota.subtree(shape.queue, flavor, kind);
}

}  // namespace ym::engine
