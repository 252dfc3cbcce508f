#include "reference/never.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "reference/parts.h"

namespace ym::reference {
namespace {

// Whether the job could run there without its list of excluded nodes.
bool is_kept_out(const Job& job, const std::string& flavors, const Machines& machines, const NaiveQuota& quota) {
  if (job.spec->placement->exclude.empty() || quota.never_enough(job, flavors)) return false;
  JobSpec spec = *job.spec;
  spec.placement.edit().exclude.clear();
  Job other = job;
  other.spec = std::make_shared<const JobSpec>(std::move(spec));
  return !machines.suitable_nodes(other, flavors).empty();
}

}  // namespace

std::vector<Cause> never(const Job& job, const std::vector<std::string>& all, const Tables& tables,
                         const Machines& machines, const NaiveQuota& quota) {
  if (all.empty() && job.spec->placement->anchor > 0) return {{.code = ReasonCode::exceeds_capacity}};
  if (all.empty()) return {{.code = ReasonCode::exceeds_max_quota}};
  const auto has_node = [&](const std::string& flavors) {
    return std::ranges::all_of(parts_of(job, flavors), [&](const Part& part) {
      return std::ranges::any_of(tables.nodes, [&](const auto& e) {
        return machines.rules_allow(part.job, e.second, part.flavor) && machines.group(job, e.second).has_value();
      });
    });
  };
  const bool some = std::ranges::any_of(all, has_node);
  // Its own list of excluded nodes comes first.
  std::vector<Cause> found;
  std::vector<std::string> others;
  for (const auto& flavors : all) {
    if (is_kept_out(job, flavors, machines, quota))
      found.push_back({.code = ReasonCode::exceeds_capacity, .flavor = flavors});
    else others.push_back(flavors);
  }
  for (const auto& flavors : others) {
    if (some && !has_node(flavors)) continue;
    const auto scarce = quota.never_enough(job, flavors);
    if (scarce) found.push_back({.code = ReasonCode::exceeds_max_quota, .flavor = *scarce});
    const std::size_t before = found.size();
    for (const auto& [flavor, part] : parts_of(job, flavors))
      if (some && machines.suitable_nodes(part, flavor).empty())
        found.push_back({.code = ReasonCode::exceeds_capacity, .flavor = flavor});
    if (some && !scarce && found.size() == before && machines.suitable_nodes(job, flavors).empty())
      found.push_back({.code = ReasonCode::exceeds_capacity, .flavor = flavors});
  }
  if (some || others.empty()) return found;
  const auto parts = parts_of(job, others.front());
  const bool only = others.size() == 1 && parts.size() == 1;
  found.push_back({.code = ReasonCode::exceeds_capacity, .flavor = only ? parts.front().flavor : ""});
  return found;
}

}  // namespace ym::reference
