#include "reference/quota.h"

#include <algorithm>
#include <set>

namespace ym::reference {
namespace {

constexpr std::array kKinds{ResourceKind::cpus, ResourceKind::memory, ResourceKind::gpus};

}  // namespace

bool NaiveQuota::sound(const std::string& queue) const {
  std::set<std::string> seen;
  for (std::string at = queue; !at.empty(); at = queues_.at(at).parent)
    if (!queues_.contains(at) || !seen.insert(at).second) return false;
  return true;
}

bool NaiveQuota::can_hold_jobs(const std::string& queue) const {
  if (!sound(queue)) return false;
  return std::ranges::none_of(queues_, [&](const auto& entry) { return entry.second.parent == queue; });
}

std::string NaiveQuota::root(const std::string& queue) const {
  const std::string& parent = queues_.at(queue).parent;
  return parent.empty() ? queue : root(parent);
}

std::optional<std::map<std::string, FlavorQuota>> NaiveQuota::quota_for(const std::string& queue) const {
  const Queue& row = queues_.at(queue);
  if (row.quota || row.parent.empty()) return row.quota;
  return quota_for(row.parent);
}

bool NaiveQuota::may_use(const std::string& queue, const std::string& flavor) const {
  const auto quota = quota_for(queue);
  return !quota || quota->contains(flavor);
}

bool NaiveQuota::limited(const std::string& queue, const std::string& flavor, ResourceKind kind) const {
  if (!queues_.contains(queue)) return false;
  if (!sound(queue) && !queues_.at(queue).quota) return false;
  const auto quota = quota_for(queue);
  if (!quota) return false;
  return !quota->contains(flavor) || quota->at(flavor)[static_cast<std::size_t>(kind)].has_value();
}

std::optional<Quota> NaiveQuota::own(const std::string& queue, const std::string& flavor, ResourceKind kind) const {
  const auto& quota = queues_.at(queue).quota;
  if (!quota || !quota->contains(flavor)) return std::nullopt;
  return quota->at(flavor)[static_cast<std::size_t>(kind)];
}

template <class Sum>
std::int64_t NaiveQuota::over_children(const std::string& queue, Sum sum) const {
  std::int64_t total = 0;
  for (const auto& [name, row] : queues_)
    if (row.parent == queue) total += sum(name);
  return total;
}

std::int64_t NaiveQuota::subtree(const std::string& queue, const std::string& flavor, ResourceKind kind) const {
  const auto quota = own(queue, flavor, kind);
  return (quota ? quota->nominal : 0) + over_children(queue, [&](const std::string& child) {
           return subtree(child, flavor, kind) - local(child, flavor, kind);
         });
}

std::int64_t NaiveQuota::local(const std::string& queue, const std::string& flavor, ResourceKind kind) const {
  const auto quota = own(queue, flavor, kind);
  if (!quota || !quota->lending_limit) return 0;
  return std::max<std::int64_t>(0, subtree(queue, flavor, kind) - *quota->lending_limit);
}

std::int64_t NaiveQuota::usage(const std::string& queue, const std::string& flavor, ResourceKind kind) const {
  const auto found = use_.find({queue, flavor, kind});
  const std::int64_t direct = found == use_.end() || !limited(queue, flavor, kind) ? 0 : found->second;
  return direct + over_children(queue, [&](const std::string& child) {
           return std::max<std::int64_t>(0, usage(child, flavor, kind) - local(child, flavor, kind));
         });
}

std::int64_t NaiveQuota::available(const std::string& queue, const std::string& flavor, ResourceKind kind) const {
  const std::string& parent = queues_.at(queue).parent;
  const std::int64_t brings = subtree(queue, flavor, kind), keeps = local(queue, flavor, kind),
                     used = usage(queue, flavor, kind);
  if (parent.empty()) return brings - used;
  std::int64_t from_parent = available(parent, flavor, kind);
  if (const auto quota = own(queue, flavor, kind); quota && quota->borrowing_limit)
    from_parent =
        std::min(from_parent, brings - keeps - std::max<std::int64_t>(0, used - keeps) + *quota->borrowing_limit);
  return std::max<std::int64_t>(0, keeps - used) + from_parent;
}

std::int64_t NaiveQuota::potential(const std::string& queue, const std::string& flavor, ResourceKind kind) const {
  return NaiveQuota(queues_, {}).available(queue, flavor, kind);
}

bool NaiveQuota::covers_now(const std::string& queue, const std::string& flavor, const ResourceVector& need) const {
  return std::ranges::all_of(kKinds, [&](ResourceKind kind) {
    return need[kind] == 0 || !limited(queue, flavor, kind) || need[kind] <= available(queue, flavor, kind);
  });
}

bool NaiveQuota::covers_ever(const std::string& queue, const std::string& flavor, const ResourceVector& need) const {
  return NaiveQuota(queues_, {}).covers_now(queue, flavor, need);
}

bool NaiveQuota::cohort_is_short(const std::string& queue, const std::string& flavor,
                                 const ResourceVector& need) const {
  auto queues = queues_;
  if (auto& quota = queues.at(queue).quota)
    for (auto& [name, kinds] : *quota)
      for (auto& kind : kinds)
        if (kind) kind->borrowing_limit.reset();
  return !NaiveQuota(queues, use_).covers_now(queue, flavor, need);
}

bool NaiveQuota::borrows(const std::string& queue, const std::string& flavor, const ResourceVector& need) const {
  return std::ranges::any_of(kKinds, [&](ResourceKind kind) {
    return need[kind] > 0 && limited(queue, flavor, kind) &&
           usage(queue, flavor, kind) + need[kind] > subtree(queue, flavor, kind);
  });
}

}  // namespace ym::reference
