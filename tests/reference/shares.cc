#include "reference/shares.h"

#include <algorithm>
#include <set>

namespace ym::reference {
namespace {

// Jobs that still run in a removed queue count too.
std::set<std::string> flavors_of(const std::map<std::string, Queue>& queues, const Use& use) {
  std::set<std::string> names;
  for (const auto& [name, queue] : queues)
    if (queue.quota)
      for (const auto& [flavor, kinds] : *queue.quota) names.insert(flavor);
  for (const auto& [entry, amount] : use) names.insert(std::get<1>(entry));
  return names;
}

}  // namespace

Fraction dominant_share(const std::map<std::string, Queue>& queues, const Use& use, const std::string& queue,
                        const More& more) {
  Use then = use;
  for (std::size_t i = 0; i < kResourceKinds; ++i)
    then[{more.queue, more.flavor, resource_kind(i)}] += more.amounts.amounts[i];
  const NaiveQuota quota(queues, then);
  Fraction most;
  for (std::size_t i = 0; i < kResourceKinds; ++i) {
    const auto kind = resource_kind(i);
    std::int64_t borrowed = 0, lendable = 0;
    for (const auto& flavor : flavors_of(queues, then)) {
      lendable += quota.potential(queues.at(queue).parent, flavor, kind);
      if (!quota.limited(queue, flavor, kind)) continue;
      borrowed += std::max<std::int64_t>(0, quota.usage(queue, flavor, kind) - quota.subtree(queue, flavor, kind));
    }
    const Fraction part{.over = borrowed, .under = lendable};
    if (borrowed > 0 && lendable > 0) most = std::max(most, part);
  }
  return most;
}

Fraction weighted(const Fraction& share, const Queue& queue) {
  if (share == Fraction{}) return share;
  if (queue.weight_milli == 0) return {.over = std::int64_t{1} << 50, .under = 1};
  return {.over = share.over * 1000, .under = share.under * queue.weight_milli};
}

}  // namespace ym::reference
