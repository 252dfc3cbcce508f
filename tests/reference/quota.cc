#include "reference/quota.h"

#include <algorithm>
#include <set>

#include "reference/parts.h"

namespace ym::reference {
namespace {

constexpr std::array kKinds{ResourceKind::cpus, ResourceKind::memory, ResourceKind::gpus};

}  // namespace

void charge(Use& use, const Job& job, const std::string& queue, const std::string& flavors, std::size_t tasks) {
  for (const auto& [flavor, part] : parts_of(job, flavors, static_cast<std::int64_t>(tasks)))
    for (std::size_t i = 0; i < kResourceKinds; ++i)
      use[{queue, flavor, resource_kind(i)}] += part.spec->total().amounts[i];
}

bool has_policy(const Tables& tables, const std::string& queue, StopPolicy policy) {
  const Use nothing;
  const NaiveQuota quota(tables.queues, nothing);
  if (!quota.sound(queue)) return tables.queues.contains(queue) && tables.queues.at(queue).stop == policy;
  return std::ranges::any_of(quota.way_up(queue),
                             [&](const std::string& one) { return tables.queues.at(one).stop == policy; });
}

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

std::vector<std::string> NaiveQuota::way_up(const std::string& queue) const {
  std::vector<std::string> way;
  for (std::string at = queue; !at.empty(); at = queues_.at(at).parent) way.push_back(at);
  return way;
}

std::optional<QuotaList> NaiveQuota::quota_for(const std::string& queue) const {
  if (queues_.at(queue).quota) return queues_.at(queue).quota;
  std::map<std::string, FlavorQuota> whole;
  bool any = false;
  for (const auto& [name, row] : queues_) {
    if (!row.quota || !sound(name) || root(name) != root(queue)) continue;
    any = true;
    for (const auto& [flavor, kinds] : *row.quota)
      for (std::size_t kind = 0; kind < kResourceKinds; ++kind)
        if (FlavorQuota& found = whole[flavor]; kinds[kind]) found[kind].emplace();
  }
  if (!any) return std::nullopt;
  QuotaList list;
  for (const auto& [flavor, kinds] : whole) list[flavor] = kinds;
  return list;
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
  return available(queue, flavor, kind, [&](const std::string& name) { return usage(name, flavor, kind); });
}

std::int64_t NaiveQuota::usage_by_right(const std::vector<std::string>& way, const std::string& queue,
                                        const std::string& flavor, ResourceKind kind) const {
  if (queue == way.front()) return 0;
  if (std::ranges::find(way, queue) == way.end())
    return std::min(usage(queue, flavor, kind), subtree(queue, flavor, kind));
  return over_children(queue, [&](const std::string& child) {
    return std::max<std::int64_t>(0, usage_by_right(way, child, flavor, kind) - local(child, flavor, kind));
  });
}

bool NaiveQuota::is_short_by_right(const std::string& queue, const std::string& flavor, ResourceKind kind,
                                   std::int64_t need) const {
  const auto way = way_up(queue);
  return need > available(queue, flavor, kind,
                          [&](const std::string& name) { return usage_by_right(way, name, flavor, kind); });
}

std::int64_t NaiveQuota::available(const std::string& queue, const std::string& flavor, ResourceKind kind,
                                   const std::function<std::int64_t(const std::string&)>& usage_of) const {
  const std::string& parent = queues_.at(queue).parent;
  const std::int64_t brings = subtree(queue, flavor, kind), keeps = local(queue, flavor, kind), used = usage_of(queue);
  if (parent.empty()) return brings - used;
  std::int64_t from_parent = available(parent, flavor, kind, usage_of);
  if (const auto quota = own(queue, flavor, kind); quota && quota->borrowing_limit)
    from_parent =
        std::min(from_parent, brings - keeps - std::max<std::int64_t>(0, used - keeps) + *quota->borrowing_limit);
  return std::max<std::int64_t>(0, keeps - used) + from_parent;
}

std::int64_t NaiveQuota::potential(const std::string& queue, const std::string& flavor, ResourceKind kind) const {
  return NaiveQuota(queues_, {}).available(queue, flavor, kind);
}

std::vector<ResourceKind> NaiveQuota::asked(const std::string& queue, const std::string& flavor,
                                            const ResourceVector& need) const {
  std::vector<ResourceKind> kinds;
  for (const ResourceKind kind : kKinds)
    if (need[kind] > 0 && limited(queue, flavor, kind)) kinds.push_back(kind);
  return kinds;
}

bool NaiveQuota::is_short(const std::string& queue, const std::string& flavor, ResourceKind kind,
                          std::int64_t need) const {
  return need > available(queue, flavor, kind);
}

bool NaiveQuota::covers_now(const std::string& queue, const std::string& flavor, const ResourceVector& need) const {
  return std::ranges::none_of(asked(queue, flavor, need),
                              [&](ResourceKind kind) { return is_short(queue, flavor, kind, need[kind]); });
}

bool NaiveQuota::covers_ever(const std::string& queue, const std::string& flavor, const ResourceVector& need) const {
  return NaiveQuota(queues_, {}).covers_now(queue, flavor, need);
}

std::optional<std::string> NaiveQuota::first_short(const Job& job, const std::string& flavors) const {
  for (const auto& [flavor, need] : needs_of(job, flavors))
    if (!covers_now(job.queue, flavor, need)) return flavor;
  return std::nullopt;
}

bool NaiveQuota::borrows_any(const Job& job, const std::string& flavors) const {
  return std::ranges::any_of(needs_of(job, flavors),
                             [&](const FlavorNeed& need) { return borrows_any(job.queue, need.flavor, need.amounts); });
}

bool NaiveQuota::asks_for_any(const std::string& queue, const Job& job, const std::string& flavors) const {
  return std::ranges::any_of(needs_of(job, flavors),
                             [&](const FlavorNeed& need) { return !asked(queue, need.flavor, need.amounts).empty(); });
}

// Each limit is tried alone: all other borrowing limits up the tree are lifted, and the root has plenty unless it is
// the one that is tried.
std::string NaiveQuota::highest_short(const std::string& queue, const std::string& flavor, ResourceKind kind,
                                      std::int64_t need) const {
  constexpr std::int64_t kPlenty = std::int64_t{1} << 50;
  std::string highest;
  const auto way = way_up(queue);
  for (const auto& tried : way) {
    auto queues = queues_;
    for (const auto& name : way)
      if (auto& quota = queues.at(name).quota; quota && name != tried && quota->contains(flavor))
        if (auto& limits = (*quota)[flavor][static_cast<std::size_t>(kind)]) limits->borrowing_limit.reset();
    if (tried != way.back()) {
      Queue& root = queues.at(way.back());
      if (!root.quota) root.quota.emplace();
      auto& limits = (*root.quota)[flavor][static_cast<std::size_t>(kind)];
      if (!limits) limits.emplace();
      limits->nominal += kPlenty;
    }
    if (NaiveQuota(queues, use_).is_short(queue, flavor, kind, need)) highest = tried;
  }
  return highest;
}

bool NaiveQuota::borrows_any(const std::string& queue, const std::string& flavor, const ResourceVector& need) const {
  return std::ranges::any_of(asked(queue, flavor, need),
                             [&](ResourceKind kind) { return borrows(queue, flavor, kind, need[kind]); });
}

bool NaiveQuota::borrows(const std::string& queue, const std::string& flavor, ResourceKind kind,
                         std::int64_t need) const {
  return usage(queue, flavor, kind) + need > subtree(queue, flavor, kind);
}

}  // namespace ym::reference
