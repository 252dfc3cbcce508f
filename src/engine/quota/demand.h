// What a shape needs of the quota of its queue.
#pragma once

#include <array>
#include <optional>

#include "engine/quota/quota_tree.h"
#include "engine/state/job_table.h"

namespace ym::engine {

// The most expensive kind first: the order in which kinds are named when several fall short.
inline constexpr std::array kKindsByWeight{ResourceKind::gpus, ResourceKind::cpus, ResourceKind::memory};

// A set of kinds; for a gang of several flavors, one set for each.
class Kinds {
 public:
  // `place`: index of the flavor among those of the gang.
  void add(ResourceKind kind, std::size_t place = 0) { bits_ |= bit(kind, place); }
  bool has(ResourceKind kind, std::size_t place = 0) const { return (bits_ & bit(kind, place)) != 0; }
  bool empty() const { return bits_ == 0; }
  bool are_among(Kinds others) const { return (bits_ & ~others.bits_) == 0; }
  auto operator<=>(const Kinds&) const = default;

 private:
  static unsigned bit(ResourceKind kind, std::size_t place) {
    return 1U << (place * kResourceKinds + static_cast<std::size_t>(kind));
  }

  unsigned bits_ = 0;
};

// A kind with less quota than the shape needs.
struct Shortage {
  FlavorIndex flavor = kNone;
  ResourceKind kind = ResourceKind::gpus;
  std::int64_t needed = 0;
  Bound bound;  // the available amount, and the queue that sets this limit
};

// Nothing: the quota covers the shape now.
std::optional<Shortage> short_now(const QuotaTree& quota, const Shape& shape, const Flavors& flavors);
// Nothing: the quota would cover the shape if no job used any.
std::optional<Shortage> short_forever(const QuotaTree& quota, const Shape& shape, const Flavors& flavors);

// The amount of a kind that the shape asks for in one of its flavors.
struct Ask {
  FlavorIndex flavor = kNone;
  std::size_t place = 0;  // index of the flavor among those of the gang
  ResourceKind kind = ResourceKind::gpus;
  std::int64_t amount = 0;
};
// Whether the shape needs some of it, and it is limited.
inline bool is_limited(const QuotaTree& quota, const Shape& shape, const Ask& ask) {
  // Exceeded quota of a kind holds back no job that needs nothing of it.
  return ask.amount > 0 && quota.limited(shape.queue, ask.flavor, ask.kind);
}
// The first ask for which `test` holds; nothing: none. Flavor by flavor, the most expensive kind first.
template <class Test>
std::optional<Ask> find_ask(const QuotaTree& quota, const Shape& shape, const Flavors& flavors, Test test) {
  std::size_t place = 0;
  for (const FlavorIndex flavor : flavors.each()) {
    const ResourceVector needed = shape.in(flavors, flavor);
    for (const ResourceKind kind : kKindsByWeight) {
      const Ask ask{.flavor = flavor, .place = place, .kind = kind, .amount = needed[kind]};
      if (is_limited(quota, shape, ask) && test(ask)) return ask;
    }
    ++place;
  }
  return std::nullopt;
}
template <class Each>
void for_each_ask(const QuotaTree& quota, const Shape& shape, const Flavors& flavors, Each each) {
  find_ask(quota, shape, flavors, [&](const Ask& ask) {
    each(ask);
    return false;
  });
}

bool asks_for_any(const QuotaTree& quota, const Shape& shape, const Flavors& flavors);
Kinds asked_kinds(const QuotaTree& quota, const Shape& shape, const Flavors& flavors);
// The kinds with too little quota now.
Kinds short_kinds(const QuotaTree& quota, const Shape& shape, const Flavors& flavors);
// Whether the queue would use more than its own quota (with that of queues below it).
bool would_borrow(const QuotaTree& quota, const Shape& shape, const Ask& ask);

}  // namespace ym::engine
