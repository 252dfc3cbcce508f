#include "reference/flavors.h"

#include <algorithm>

#include "model/flavor_mix.h"
#include "reference/machines.h"
#include "reference/parts.h"

namespace ym::reference {
namespace {

std::vector<std::string> configured_flavors(const Tables& tables) {
  std::vector<std::string> names;
  for (const auto& [name, flavor] : tables.flavors) names.push_back(name);
  std::ranges::sort(names, {}, [&](const std::string& name) { return std::pair(tables.flavors.at(name).rank, name); });
  if (names.empty()) names.emplace_back(kDefaultFlavor);
  return names;
}

// Goes through the groups, for each choice of the groups before: the flavors in which the group could run alone, or
// else those with a node for it, or all.
std::vector<std::string> for_groups(const Tables& tables, const Job& job, const std::vector<std::string>& flavors) {
  const Machines machines(tables);
  std::vector<std::string> choices{""};
  for (const Job& part : kinds_of(job)) {
    std::vector<std::string> some, own;
    for (const auto& flavor : flavors) {
      if (!machines.suitable_nodes(part, flavor).empty()) own.push_back(flavor);
      if (std::ranges::any_of(tables.nodes, [&](const auto& e) {
            return machines.rules_allow(part, e.second, flavor) && machines.group(job, e.second).has_value();
          }))
        some.push_back(flavor);
    }
    if (own.empty()) own = some;
    std::vector<std::string> longer;
    for (const auto& begun : choices)
      for (const auto& flavor : own.empty() ? flavors : own)
        longer.push_back(begun.empty() ? flavor : join_flavors(std::vector{begun, flavor}));
    choices = longer;
  }
  return choices;
}

}  // namespace

std::vector<std::string> tried_flavors(const Tables& tables, const NaiveQuota& quota, const std::string& queue) {
  std::vector<std::string> configured = configured_flavors(tables);
  const auto quota_list = quota.quota_for(queue);
  if (!quota_list) return configured;
  // A flavor that the quota names and that does not exist has no nodes.
  std::vector<std::string> names;
  for (const auto& [name, kinds] : *quota_list) names.push_back(name);
  if (tables.queues.at(queue).quota) return names;
  const auto place = [&](const std::string& name) {
    return std::pair(std::ranges::find(configured, name) - configured.begin(), name);
  };
  std::ranges::sort(names, {}, place);
  return names;
}

std::vector<std::string> tried_choices(const Tables& tables, const NaiveQuota& quota, const Job& job) {
  auto flavors = tried_flavors(tables, quota, job.queue);
  if (!job.spec->groups.empty()) return for_groups(tables, job, flavors);
  if (job.spec->placement->anchor == 0) return flavors;
  const auto row = [&](const std::string& name) {
    const auto found = tables.flavors.find(name);
    return found == tables.flavors.end() ? nullptr : &found->second;
  };
  const std::int32_t most = tables.jobs.at(job.id).spec->nodes;
  std::vector<std::string> choices;
  for (const auto& rest : flavors) {
    if (!row(rest) || !row(rest)->spot) choices.push_back(rest);
    else if (job.spec->placement->anchor < most)
      for (const auto& anchor : flavors)
        if (row(anchor) && !row(anchor)->spot && row(anchor)->gpu_type == row(rest)->gpu_type)
          choices.push_back(join_flavors(std::vector{anchor, rest}));
  }
  return choices;
}

}  // namespace ym::reference
