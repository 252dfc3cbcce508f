// queue_usage and budget_usage: quota and budgets as lists.
#include <algorithm>

#include "engine/engine.h"
#include "engine/state/impl.h"

namespace ym::engine {
namespace {

// Whether what is counted has a limit. A cohort also has one if queues below it have quota.
bool has_limit(const QuotaTree& quota, QueueIndex queue, FlavorIndex flavor, ResourceKind kind) {
  return quota.has_children(queue) ? quota.subtree(queue, flavor, kind) > 0 || quota.usage(queue, flavor, kind) > 0
                                   : quota.limited(queue, flavor, kind);
}

// Whether the queue itself may use the flavor, or still uses it from earlier.
bool concerns(const QuotaTree& quota, QueueIndex queue, FlavorIndex flavor, ResourceKind kind) {
  if (quota.subtree(queue, flavor, kind) > 0 || quota.direct(queue, flavor, kind) > 0 ||
      quota.usage(queue, flavor, kind) > 0)
    return true;
  const auto& flavors = quota.flavors(queue);
  return flavors && quota.limited(queue, flavor, kind) && std::ranges::find(*flavors, flavor) != flavors->end();
}

}  // namespace

std::vector<QueueUsage> queue_usage(const State& state) {
  const auto& impl = state.impl();
  std::vector<QueueUsage> list;
  for (const auto& [name, row] : impl.queues) {
    const QueueIndex queue = impl.queue_names.find(name);
    for (const auto& [flavor_name, flavor] : impl.inventory.flavor_names.by_name())
      for (std::size_t i = 0; i < kResourceKinds; ++i) {
        const ResourceKind kind = resource_kind(i);
        if (!concerns(impl.quota, queue, flavor, kind) && !concerns(impl.in_use, queue, flavor, kind)) continue;
        QueueUsage usage{.queue = name, .flavor = flavor_name, .kind = kind};
        usage.used = std::max(impl.quota.direct(queue, flavor, kind), impl.in_use.direct(queue, flavor, kind));
        if (has_limit(impl.quota, queue, flavor, kind) || has_limit(impl.in_use, queue, flavor, kind)) {
          usage.nominal = impl.quota.subtree(queue, flavor, kind);
          usage.used = std::max(impl.quota.usage(queue, flavor, kind), impl.in_use.usage(queue, flavor, kind));
          usage.borrowed = std::max<std::int64_t>(0, usage.used - *usage.nominal);
        }
        list.push_back(std::move(usage));
      }
  }
  return list;
}

std::map<std::string, std::vector<std::int64_t>> budget_usage(const State& state, Instant now) {
  const auto& impl = state.impl();
  std::map<std::string, std::vector<std::int64_t>> used;
  for (const auto& [name, row] : impl.queues)
    for (const Budget& budget : row.budgets)
      used[name].push_back(impl.budgets.used(impl.queue_names.find(name), budget, now));
  return used;
}

}  // namespace ym::engine
