#include "engine/quota/demand.h"

namespace ym::engine {
namespace {

template <class Limit>
std::optional<Shortage> first_short(const QuotaTree& quota, const Shape& shape, const Flavors& flavors, Limit limit) {
  Bound bound;
  const auto ask = find_ask(quota, shape, flavors, [&](const Ask& one) {
    bound = limit(one);
    return one.amount > bound.amount;
  });
  if (!ask) return std::nullopt;
  return Shortage{.flavor = ask->flavor, .kind = ask->kind, .needed = ask->amount, .bound = bound};
}

}  // namespace

std::optional<Shortage> short_now(const QuotaTree& quota, const Shape& shape, const Flavors& flavors) {
  return first_short(quota, shape, flavors,
                     [&](const Ask& ask) { return quota.available(shape.queue, ask.flavor, ask.kind); });
}

std::optional<Shortage> short_forever(const QuotaTree& quota, const Shape& shape, const Flavors& flavors) {
  return first_short(quota, shape, flavors,
                     [&](const Ask& ask) { return quota.potential(shape.queue, ask.flavor, ask.kind); });
}

bool asks_for_any(const QuotaTree& quota, const Shape& shape, const Flavors& flavors) {
  return find_ask(quota, shape, flavors, [](const Ask&) { return true; }).has_value();
}

Kinds asked_kinds(const QuotaTree& quota, const Shape& shape, const Flavors& flavors) {
  Kinds kinds;
  for_each_ask(quota, shape, flavors, [&](const Ask& ask) { kinds.add(ask.kind, ask.place); });
  return kinds;
}

Kinds short_kinds(const QuotaTree& quota, const Shape& shape, const Flavors& flavors) {
  Kinds kinds;
  for_each_ask(quota, shape, flavors, [&](const Ask& ask) {
    if (ask.amount > quota.available(shape.queue, ask.flavor, ask.kind).amount) kinds.add(ask.kind, ask.place);
  });
  return kinds;
}

bool would_borrow(const QuotaTree& quota, const Shape& shape, const Ask& ask) {
  return quota.usage(shape.queue, ask.flavor, ask.kind) + ask.amount > quota.subtree(shape.queue, ask.flavor, ask.kind);
}

}  // namespace ym::engine
