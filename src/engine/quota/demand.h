// What a shape asks of the quota of its queue.
#pragma once

#include <array>
#include <optional>

#include "engine/quota/quota_tree.h"
#include "engine/state/job_table.h"

namespace ym::engine {

// Dearest first: the order in which kinds are named when several fall short.
inline constexpr std::array kKindsByWeight{ResourceKind::gpus, ResourceKind::cpus, ResourceKind::memory};

// Some of the kinds.
class Kinds {
 public:
  void add(ResourceKind kind) { bits_ |= bit(kind); }
  bool has(ResourceKind kind) const { return (bits_ & bit(kind)) != 0; }
  bool empty() const { return bits_ == 0; }
  bool are_among(Kinds others) const { return (bits_ & ~others.bits_) == 0; }
  auto operator<=>(const Kinds&) const = default;

 private:
  static unsigned bit(ResourceKind kind) { return 1U << static_cast<unsigned>(kind); }

  unsigned bits_ = 0;
};

// A kind of which less is there than the shape needs.
struct Shortage {
  ResourceKind kind = ResourceKind::gpus;
  std::int64_t needed = 0;
  Bound bound;  // what there is, and whose limit that is
};

// Nothing: the quota covers the shape now.
std::optional<Shortage> short_now(const QuotaTree& quota, const Shape& shape, Index flavor);
// Nothing: it would cover the shape if nobody used anything.
std::optional<Shortage> short_forever(const QuotaTree& quota, const Shape& shape, Index flavor);
// Whether the shape needs some of the kind, and that is limited.
bool asks_for(const QuotaTree& quota, const Shape& shape, Index flavor, ResourceKind kind);
bool asks_for_any(const QuotaTree& quota, const Shape& shape, Index flavor);
Kinds asked_kinds(const QuotaTree& quota, const Shape& shape, Index flavor);
// Those of them of which there is too little now.
Kinds short_kinds(const QuotaTree& quota, const Shape& shape, Index flavor);
// Whether the queue would use more of the kind than it brings itself.
bool would_borrow(const QuotaTree& quota, const Shape& shape, Index flavor, ResourceKind kind);

}  // namespace ym::engine
