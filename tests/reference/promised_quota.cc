// Of what is promised, what it takes of quotas; and who is named for it.
#include <algorithm>
#include <tuple>

#include "reference/promises.h"

namespace ym::reference {

Use Promises::quota_promised(const Job& job, const NaiveQuota& quota, Stay stay) const {
  const auto gone = stay == Stay::for_ever ? std::nullopt : gone_if_started(job);
  Use all;
  bool minded = false;
  for (const Promise& one : all_) {
    const ResourceVector total = one.total();
    for (std::size_t kind = 0; kind < kResourceKinds; ++kind)
      all[{one.queue, one.flavor, resource_kind(kind)}] += total.amounts[kind];
    const bool asks = !quota.asked(one.queue, one.flavor, total).empty();
    minded = minded || (asks && quota.root(one.queue) == quota.root(job.queue) && (!gone || *gone > one.from));
  }
  return minded ? all : Use{};
}

std::vector<Promises::Passer> Promises::passers(const Job& job, const std::string& flavor,
                                                const NaiveQuota& quota) const {
  std::vector<Passer> found;
  for (const Occupant& one : occupants_) {
    const bool same_tree = quota.sound(one.queue) && quota.root(one.queue) == quota.root(job.queue);
    if (!same_tree || one.flavor != flavor || !one.gone || one.admitted < job.submitted_at) continue;
    found.push_back({.gone = turn_not_before(*one.gone),
                     .job = one.job,
                     .queue = one.queue,
                     .total = one.task.vector() * static_cast<std::int64_t>(one.placement.size())});
  }
  std::ranges::sort(found, {}, [](const Passer& one) { return std::tuple(one.gone, one.job); });
  return found;
}

JobId Promises::first(const Job& job, const std::string& flavor, const NaiveQuota& quota) const {
  const auto has_room = [&](const std::string& name) {
    const Node& node = t_.nodes.at(name);
    return machines_.rules_allow(job, node, flavor) && machines_.has_room(job, node);
  };
  const Promise *machines = nullptr, *shared = nullptr;
  for (const Promise& one : all_) {
    if (one.flavor != flavor) continue;
    const ResourceVector total = one.total();
    const bool same_tree =
        !quota.asked(one.queue, one.flavor, total).empty() && quota.root(one.queue) == quota.root(job.queue);
    if (std::ranges::any_of(one.nodes, has_room) && (!machines || one.from < machines->from)) machines = &one;
    if (same_tree && (!shared || one.from < shared->from)) shared = &one;
  }
  const Promise* named = machines ? machines : shared;
  return named ? named->job : JobId{};
}

}  // namespace ym::reference
