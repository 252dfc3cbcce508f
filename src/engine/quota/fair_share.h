// Fair share: how much a queue has borrowed beside the others of its cohort.
//
// Kueue's dominant resource share (pkg/cache/scheduler/fair_sharing.go): of each resource kind what
// the queue uses beyond what it and those below it bring, over all flavors, as a part of all that
// its cohort could lend; of these parts the largest, divided by the weight of the queue. Who
// borrows nothing has none, nor has a root, which has nobody to borrow from.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>

#include "engine/quota/quota_tree.h"

namespace ym::engine {

struct Share {
  // Millionths of a thousandth, rounded up: whoever borrows has more than who does not.
  std::int64_t nano = 0;
  auto operator<=>(const Share&) const = default;

  // A weight of nothing: it comes after all who have one.
  static constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();
  bool borrows() const { return nano > 0; }
  // As Kueue gives it.
  std::int64_t thousandths() const { return nano == kLast ? kLast : nano / 1'000'000; }
};

// Of the queue, if it and those below it used so much more of the flavor.
Share share_with(const QuotaTree& quota, QueueIndex queue, FlavorIndex flavor, const ResourceVector& more);

// What of `more`, used in the queue or below it, its parent sees. Precondition: only of kinds that count
// where the job is.
ResourceVector passed_on(const QuotaTree& quota, QueueIndex queue, FlavorIndex flavor, const ResourceVector& more);

}  // namespace ym::engine
