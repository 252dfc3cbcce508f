#include "engine/quota/fair_share.h"

#include <algorithm>

#include "engine/quota/demand.h"

namespace ym::engine {
namespace {

constexpr __int128 kNanoPerWhole = 1'000'000'000;
constexpr __int128 kMilliWeight = 1000;

// What the queue borrows of the kind, over all flavors.
std::int64_t borrowed(const QuotaTree& quota, QueueIndex queue, FlavorIndex flavor, ResourceKind kind,
                      std::int64_t more) {
  std::int64_t sum = 0;
  for (const FlavorIndex one : indices<FlavorIndex>(quota.flavor_count())) {
    if (!quota.limited(queue, one, kind)) continue;
    const std::int64_t used = quota.usage(queue, one, kind) + (one == flavor ? more : 0);
    sum += std::max<std::int64_t>(0, used - quota.subtree(queue, one, kind));
  }
  return sum;
}

std::int64_t weighted(std::int64_t part, std::int64_t lendable, std::int64_t weight_milli) {
  if (weight_milli == 0) return Share::kLast;
  const __int128 divisor = static_cast<__int128>(lendable) * weight_milli;
  const __int128 share = (part * kNanoPerWhole * kMilliWeight + divisor - 1) / divisor;
  return static_cast<std::int64_t>(std::min<__int128>(share, Share::kLast - 1));
}

}  // namespace

Share share_with(const QuotaTree& quota, QueueIndex queue, FlavorIndex flavor, const ResourceVector& more) {
  Share share;
  const QueueIndex cohort = quota.parent(queue);
  if (cohort == kNone) return share;
  for (const ResourceKind kind : kKindsByWeight) {
    const std::int64_t part = borrowed(quota, queue, flavor, kind, more[kind]);
    const std::int64_t lendable = quota.lendable(cohort, kind);
    if (part > 0 && lendable > 0)
      share.nano = std::max(share.nano, weighted(part, lendable, quota.weight_milli(queue)));
  }
  return share;
}

ResourceVector passed_on(const QuotaTree& quota, QueueIndex queue, FlavorIndex flavor, const ResourceVector& more) {
  ResourceVector above;
  for (const ResourceKind kind : kKindsByWeight) above[kind] = quota.passed_on(queue, flavor, kind, more[kind]);
  return above;
}

}  // namespace ym::engine
