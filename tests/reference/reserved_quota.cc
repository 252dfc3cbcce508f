// The quota of reservations: what they take, from when on a job has quota and from which jobs, and which job is named
// as the blocker.
#include <algorithm>
#include <tuple>

#include "reference/parts.h"
#include "reference/reservations.h"
#include "reference/sized.h"

namespace ym::reference {

// The job at its reserved size.
Job Reservations::reserved_job(const Reservation& one) const {
  return sized(t_.jobs.at(one.job), static_cast<std::int32_t>(one.nodes.size()));
}

Use Reservations::all_reserved_quota() const {
  Use all;
  for (const Reservation& one : all_) {
    for (const auto& [flavor, part] : parts_of(reserved_job(one), one.flavor))
      for (std::size_t kind = 0; kind < kResourceKinds; ++kind)
        all[{one.queue, flavor, resource_kind(kind)}] += part.spec->total().amounts[kind];
    for (const Reservation::Inherited& part : one.inherits)
      for (std::size_t kind = 0; kind < kResourceKinds; ++kind)
        all[{part.queue, part.flavor, resource_kind(kind)}] -= part.amounts.amounts[kind];
  }
  return all;
}

std::optional<Use> Reservations::reserved_quota(const Job& job, const NaiveQuota& quota, Stay stay) const {
  const auto gone = stay == Stay::for_ever ? std::nullopt : gone_if_started(job);
  for (const Reservation& one : all_) {
    const bool asks = quota.asks_for_any(one.queue, reserved_job(one), one.flavor);
    if (asks && quota.root(one.queue) == quota.root(job.queue) && (!gone || *gone > one.from))
      return all_reserved_quota();
  }
  return std::nullopt;
}

bool Reservations::has_quota(const Job& job, const std::string& flavor, const Keepers& keepers, const NaiveQuota& quota,
                             Stay stay) const {
  if (keepers.quota_in_the_way(job, flavor)) return false;
  const auto reserved = reserved_quota(job, quota, stay);
  return !reserved || !keepers.quota_in_the_way(job, flavor, *reserved);
}

std::vector<Reservations::Expiring> Reservations::expiring(const Job& job, const std::string& flavor,
                                                           const NaiveQuota& quota) const {
  std::vector<Expiring> found;
  for (const Occupant& one : occupants_) {
    const bool same_tree = quota.sound(one.queue) && quota.root(one.queue) == quota.root(job.queue);
    const auto shared = in_both(flavor, one.flavor);
    if (!same_tree || shared.empty() || !one.gone) continue;
    found.push_back({.gone = minute_not_before(*one.gone), .job = one.job, .queue = one.queue, .by_flavor = {}});
    for (const auto& [own, part] : parts_of(t_.jobs.at(one.job), one.flavor, std::ssize(one.placement)))
      if (std::ranges::find(shared, own) != shared.end()) found.back().by_flavor[own] += part.spec->total();
  }
  std::ranges::sort(found, {}, [](const Expiring& one) { return std::tuple(one.gone, one.job); });
  return found;
}

ResourceVector Reservations::inherited_from(JobId job, const std::string& flavor) const {
  ResourceVector all;
  for (const Reservation& one : all_)
    for (const Reservation::Inherited& part : one.inherits)
      if (part.from == job && part.flavor == flavor) all += part.amounts;
  return all;
}

namespace {

// From its own queue first, and at most what the job asks for, of the kinds that are limited there.
std::vector<Reservation::Inherited> inherited(const Job& job, const std::string& flavor, const NaiveQuota& quota,
                                              std::vector<Reservations::Expiring> gone) {
  std::ranges::sort(gone, {}, [&](const auto& one) { return std::tuple(one.queue != job.queue, one.gone, one.job); });
  std::map<std::string, ResourceVector> wanted;
  for (const auto& [own, part] : parts_of(job, flavor)) wanted[own] += part.spec->total();
  for (auto& [own, amounts] : wanted)
    for (std::size_t kind = 0; kind < kResourceKinds; ++kind)
      if (!quota.limited(job.queue, own, resource_kind(kind))) amounts.amounts[kind] = 0;
  std::vector<Reservation::Inherited> parts;
  for (const auto& one : gone)
    for (const auto& [own, amounts] : one.by_flavor) {
      Reservation::Inherited part{.from = one.job, .queue = one.queue, .flavor = own, .amounts = amounts};
      for (std::size_t kind = 0; kind < kResourceKinds; ++kind)
        part.amounts.amounts[kind] = std::min(part.amounts.amounts[kind], wanted[own].amounts[kind]);
      wanted[own] -= part.amounts;
      if (part.amounts != ResourceVector{}) parts.push_back(std::move(part));
    }
  return parts;
}

// How many of them, in their order, have to be gone. Nothing: even all are not enough.
std::optional<std::size_t> gone_before(const Job& job, const std::string& flavor, const Keepers& keepers, Use more,
                                       const std::vector<Reservations::Expiring>& expiring) {
  for (std::size_t count = 0;; ++count) {
    if (!keepers.quota_in_the_way(job, flavor, more)) return count;
    if (count == expiring.size()) return std::nullopt;
    const auto& next = expiring[count];
    for (const auto& [own, total] : next.by_flavor)
      for (std::size_t kind = 0; kind < kResourceKinds; ++kind)
        more[{next.queue, own, resource_kind(kind)}] -= total.amounts[kind];
  }
}

}  // namespace

std::optional<Reservations::QuotaLater> Reservations::quota_from(const Job& job, const std::string& flavor,
                                                                 const Keepers& keepers, const NaiveQuota& quota) {
  if (has_quota(job, flavor, keepers, quota, Stay::for_ever)) return QuotaLater{.from = now_, .inherits = {}};
  if (first_short_.try_emplace(job.queue, job.id).first->second != job.id) return std::nullopt;
  const auto all = expiring(job, flavor, quota);
  auto left = all;
  for (auto& one : left)
    for (auto& [own, amounts] : one.by_flavor) amounts -= inherited_from(one.job, own);
  const auto reserved = gone_before(job, flavor, keepers, all_reserved_quota(), left);
  const auto free = gone_before(job, flavor, keepers, {}, all);
  if (!reserved || !free) return std::nullopt;
  QuotaLater found{.from = now_, .inherits = {}};
  if (const auto count = std::max(*reserved, *free); count > 0) found.from = all[count - 1].gone;
  left.resize(*reserved);
  found.inherits = inherited(job, flavor, quota, std::move(left));
  return found;
}

JobId Reservations::first(const Job& job, const std::string& flavor, const NaiveQuota& quota) const {
  const auto has_room = [&](const auto& reserved_node) {
    const Node& node = t_.nodes.at(reserved_node.first);
    return names(flavor, machines_.flavor_of(node)) && std::ranges::any_of(kinds_of(job), [&](const Job& part) {
             return machines_.rules_allow(part, node, flavor) && machines_.has_room(part, node);
           });
  };
  const Reservation *machines = nullptr, *shared = nullptr;
  for (const Reservation& one : all_) {
    if (in_both(one.flavor, flavor).empty()) continue;
    const bool same_tree =
        quota.asks_for_any(one.queue, reserved_job(one), one.flavor) && quota.root(one.queue) == quota.root(job.queue);
    if (std::ranges::any_of(one.nodes, has_room) && (!machines || one.from < machines->from)) machines = &one;
    if (same_tree && (!shared || one.from < shared->from)) shared = &one;
  }
  const Reservation* named = machines ? machines : shared;
  return named ? named->job : JobId{};
}

const AdvanceReservation* Reservations::closing(const Job& job, const Node& node) const {
  return advance_.closing(job, node, now_, gone_if_started(job));
}

std::optional<std::string> Reservations::closed_flavor(const Job& job, const std::set<std::string>& flavors) const {
  for (const auto* row : advance_.all())
    for (const auto& name : row->nodes) {
      const auto node = t_.nodes.find(name);
      if (node == t_.nodes.end() || !machines_.in_service(node->second)) continue;
      if (closing(job, node->second) != row) continue;
      for (const auto& flavor : flavors)
        for (const Job& part : kinds_of(job))
          if (machines_.rules_allow(part, node->second, flavor) && machines_.has_room(part, node->second))
            return flavor;
    }
  return std::nullopt;
}

}  // namespace ym::reference
