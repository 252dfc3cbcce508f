#include "reference/never.h"

#include <algorithm>

namespace ym::reference {

std::vector<Cause> never(const Job& job, const std::vector<std::string>& all, const Tables& tables,
                         const Machines& machines, const NaiveQuota& quota) {
  if (all.empty()) return {{.code = ReasonCode::exceeds_max_quota}};
  const auto has_node = [&](const std::string& flavor) {
    return std::ranges::any_of(tables.nodes, [&](const auto& e) {
      return machines.rules_allow(job, e.second, flavor) && machines.group(job, e.second).has_value();
    });
  };
  const bool some = std::ranges::any_of(all, has_node);
  std::vector<Cause> found;
  for (const auto& flavor : all) {
    if (some && !has_node(flavor)) continue;
    if (!quota.covers_ever(job.queue, flavor, job.spec->total()))
      found.push_back({.code = ReasonCode::exceeds_max_quota, .flavor = flavor});
    if (some && machines.suitable_nodes(job, flavor).empty())
      found.push_back({.code = ReasonCode::exceeds_capacity, .flavor = flavor});
  }
  if (!some) found.push_back({.code = ReasonCode::exceeds_capacity, .flavor = all.size() == 1 ? all.front() : ""});
  return found;
}

}  // namespace ym::reference
