#include "reference/decayed_usage.h"

#include <algorithm>

namespace ym::reference {

NaiveDecayedUsage::NaiveDecayedUsage(const Tables& tables, std::int64_t kept)
    : t_(tables), kept_(kept), queues_(tables.queues) {
  for (auto& [name, queue] : queues_) {
    if (!queue.quota) continue;
    QuotaList finer;
    for (const auto& [flavor, kinds] : *queue.quota) {
      FlavorQuota& own = finer[flavor] = kinds;
      for (std::size_t i = 0; i < kResourceKinds; ++i) {
        if (!own[i]) continue;
        const std::int64_t times = fineness(resource_kind(i));
        own[i]->nominal *= times;
        if (own[i]->borrowing_limit) *own[i]->borrowing_limit *= times;
        if (own[i]->lending_limit) *own[i]->lending_limit *= times;
      }
    }
    queue.quota = finer;
  }
  for (const auto& [name, row] : tables.usage)
    for (const auto& one : row.flavors) {
      add(row.queue, row.user, one.flavor, with_entries(one, kept));
      entered_[{row.queue, row.user, one.flavor}] = one.entered;
    }
}

void NaiveDecayedUsage::add(const std::string& queue, const std::string& user, const std::string& flavor,
                            const ResourceVector& used) {
  const NaiveQuota quota(t_.queues, use_);
  const auto own = t_.queues.contains(queue) && quota.sound(queue) ? quota.quota_for(queue) : std::nullopt;
  if (own && own->contains(flavor))
    for (std::size_t i = 0; i < kResourceKinds; ++i) use_[{queue, flavor, resource_kind(i)}] += used.amounts[i];
  of_users_[{queue, user}] += used;
}

void NaiveDecayedUsage::admit(const Job& job, const std::string& flavor, const ResourceVector& amounts) {
  // Admissions since the sample are rounded together, as in the row.
  ResourceVector& entered = entered_[{job.queue, job.owner, flavor}];
  const ResourceVector before = entry(entered);
  entered += amounts;
  ResourceVector more = entry(entered);
  more -= before;
  add(job.queue, job.owner, flavor, more);
}

std::int64_t NaiveDecayedUsage::share_of(const std::string& queue, const std::string& user) const {
  const auto used = of_users_.find({queue, user});
  if (used == of_users_.end()) return 0;
  ResourceVector machines;
  for (const auto& [name, node] : t_.nodes) {
    for (const auto& device : node.devices) machines[ResourceKind::gpus] += device.milli();
    machines[ResourceKind::cpus] += node.cpus;
    machines[ResourceKind::memory] += node.memory_bytes;
  }
  machines = fine(machines);
  std::int64_t largest = 0;
  for (std::size_t i = 0; i < kResourceKinds; ++i)
    if (machines.amounts[i] > 0)
      largest = std::max(largest, static_cast<std::int64_t>(static_cast<__int128>(used->second.amounts[i]) *
                                                            1'000'000'000'000 / machines.amounts[i]));
  return largest;
}

}  // namespace ym::reference
