// What a shape asks of the quota of its queue.
#pragma once

#include <array>
#include <optional>

#include "engine/quota/quota_tree.h"
#include "engine/state/job_table.h"

namespace ym::engine {

// Dearest first: the order in which kinds are named when several fall short.
inline constexpr std::array kKindsByWeight{ResourceKind::gpus, ResourceKind::cpus, ResourceKind::memory};

// Some of the kinds; of a gang of two flavors, of each.
class Kinds {
 public:
  // `place`: of the flavor, among those of the gang.
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

// A kind of which less is there than the shape needs.
struct Shortage {
  FlavorIndex flavor = kNone;
  ResourceKind kind = ResourceKind::gpus;
  std::int64_t needed = 0;
  Bound bound;  // what there is, and whose limit that is
};

// Nothing: the quota covers the shape now.
std::optional<Shortage> short_now(const QuotaTree& quota, const Shape& shape, const Flavors& flavors);
// Nothing: it would cover the shape if nobody used anything.
std::optional<Shortage> short_forever(const QuotaTree& quota, const Shape& shape, const Flavors& flavors);

// What the shape asks for of a kind of one of its flavors.
struct Ask {
  FlavorIndex flavor = kNone;
  std::size_t place = 0;  // of the flavor, among those of the gang
  ResourceKind kind = ResourceKind::gpus;
  std::int64_t amount = 0;
};
// Whether it needs some of it, and that is limited.
inline bool is_limited(const QuotaTree& quota, const Shape& shape, const Ask& ask) {
  // Who asks for nothing is not held back by a quota that others have overdrawn.
  return ask.amount > 0 && quota.limited(shape.queue, ask.flavor, ask.kind);
}
// The first of those for which `test` holds; nothing: none. Flavor by flavor, dearest kind first.
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
// Those of them of which there is too little now.
Kinds short_kinds(const QuotaTree& quota, const Shape& shape, const Flavors& flavors);
// Whether the queue would use more of that than it brings itself.
bool would_borrow(const QuotaTree& quota, const Shape& shape, const Ask& ask);

}  // namespace ym::engine
