// Fair share: how much a queue borrows in comparison with the others of its cohort.
//
// Kueue's dominant resource share (pkg/cache/scheduler/fair_sharing.go). For each resource kind: what the queue uses
// beyond its own quota and that of queues below it, over all flavors, as a part of all that its cohort could lend. The
// share is the largest of these parts, divided by the weight of the queue. It is 0 for a queue that borrows nothing,
// and for a root, which cannot borrow.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>

#include "engine/quota/quota_tree.h"

namespace ym::engine {

struct Share {
  // Millionths of a thousandth, rounded up, so that a queue that borrows has more than one that does not.
  std::int64_t nano = 0;
  auto operator<=>(const Share&) const = default;

  // For weight 0: such a queue comes after all queues with a weight.
  static constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();
  bool borrows() const { return nano > 0; }
  // The unit that Kueue uses.
  std::int64_t thousandths() const { return nano == kLast ? kLast : nano / 1'000'000; }
};

// Share of the queue if it and the queues below it used this much more of the flavor.
Share share_with(const QuotaTree& quota, QueueIndex queue, FlavorIndex flavor, const ResourceVector& more);

// The part of `more`, used in the queue or below it, that counts at its parent. Precondition: it has only kinds that
// count where the job is.
ResourceVector passed_on(const QuotaTree& quota, QueueIndex queue, FlavorIndex flavor, const ResourceVector& more);

}  // namespace ym::engine
