// Of what is promised, what it takes of quotas, from when on there is quota; and who is named for it.
#include <algorithm>
#include <tuple>

#include "reference/parts.h"
#include "reference/promises.h"
#include "reference/sized.h"

namespace ym::reference {

// The job at the size that is promised.
Job Promises::promised(const Promise& one) const {
  return sized(t_.jobs.at(one.job), static_cast<std::int32_t>(one.nodes.size()));
}

Use Promises::quota_promised(const Job& job, const NaiveQuota& quota, Stay stay) const {
  const auto gone = stay == Stay::for_ever ? std::nullopt : gone_if_started(job);
  Use all;
  bool minded = false;
  for (const Promise& one : all_) {
    const Job holder = promised(one);
    for (const auto& [flavor, part] : parts_of(holder, one.flavor))
      for (std::size_t kind = 0; kind < kResourceKinds; ++kind)
        all[{one.queue, flavor, resource_kind(kind)}] += part.spec->total().amounts[kind];
    const bool asks = quota.asks_for_any(one.queue, holder, one.flavor);
    minded = minded || (asks && quota.root(one.queue) == quota.root(job.queue) && (!gone || *gone > one.from));
  }
  return minded ? all : Use{};
}

std::vector<Promises::Passer> Promises::passers(const Job& job, const std::string& flavor,
                                                const NaiveQuota& quota) const {
  std::vector<Passer> found;
  for (const Occupant& one : occupants_) {
    const bool same_tree = quota.sound(one.queue) && quota.root(one.queue) == quota.root(job.queue);
    const auto shared = in_both(flavor, one.flavor);
    if (!same_tree || shared.empty() || !one.gone || one.admitted < job.submitted_at) continue;
    found.push_back({.gone = turn_not_before(*one.gone), .job = one.job, .queue = one.queue, .by_flavor = {}});
    for (const auto& [own, part] : parts_of(t_.jobs.at(one.job), one.flavor, std::ssize(one.placement)))
      if (std::ranges::find(shared, own) != shared.end()) found.back().by_flavor[own] += part.spec->total();
  }
  std::ranges::sort(found, {}, [](const Passer& one) { return std::tuple(one.gone, one.job); });
  return found;
}

std::optional<Instant> Promises::quota_from(const Job& job, const std::string& flavor, const Keepers& keepers,
                                            const NaiveQuota& quota) {
  if (!keepers.quota_in_the_way(job, flavor, quota_promised(job, quota, Stay::for_ever))) return now_;
  if (first_short_.try_emplace(job.queue, job.id).first->second != job.id) return std::nullopt;
  return quota_when_passers_go(job, flavor, keepers, quota);
}

std::optional<Instant> Promises::quota_when_passers_go(const Job& job, const std::string& flavor,
                                                       const Keepers& keepers, const NaiveQuota& quota) const {
  Use more = quota_promised(job, quota, Stay::for_ever);
  for (const auto& passer : passers(job, flavor, quota)) {
    for (const auto& [own, total] : passer.by_flavor)
      for (std::size_t kind = 0; kind < kResourceKinds; ++kind)
        more[{passer.queue, own, resource_kind(kind)}] -= total.amounts[kind];
    if (!keepers.quota_in_the_way(job, flavor, more)) return passer.gone;
  }
  return std::nullopt;
}

JobId Promises::first(const Job& job, const std::string& flavor, const NaiveQuota& quota) const {
  const auto has_room = [&](const auto& promised_node) {
    const Node& node = t_.nodes.at(promised_node.first);
    return names(flavor, machines_.flavor_of(node)) && std::ranges::any_of(kinds_of(job), [&](const Job& part) {
             return machines_.rules_allow(part, node, flavor) && machines_.has_room(part, node);
           });
  };
  const Promise *machines = nullptr, *shared = nullptr;
  for (const Promise& one : all_) {
    if (in_both(one.flavor, flavor).empty()) continue;
    const bool same_tree =
        quota.asks_for_any(one.queue, promised(one), one.flavor) && quota.root(one.queue) == quota.root(job.queue);
    if (std::ranges::any_of(one.nodes, has_room) && (!machines || one.from < machines->from)) machines = &one;
    if (same_tree && (!shared || one.from < shared->from)) shared = &one;
  }
  const Promise* named = machines ? machines : shared;
  return named ? named->job : JobId{};
}

const AdvanceReservation* Promises::closing(const Job& job, const Node& node) const {
  return set_aside_.closing(job, node, now_, gone_if_started(job));
}

std::optional<std::string> Promises::closed_flavor(const Job& job, const std::set<std::string>& flavors) const {
  for (const auto* row : set_aside_.all())
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
