#include "reference/flavors.h"

#include <algorithm>

namespace ym::reference {
namespace {

std::vector<std::string> configured_flavors(const Tables& tables) {
  std::vector<std::string> names;
  for (const auto& [name, flavor] : tables.flavors) names.push_back(name);
  std::ranges::sort(names, {}, [&](const std::string& name) { return std::pair(tables.flavors.at(name).rank, name); });
  if (names.empty()) names.emplace_back(kDefaultFlavor);
  return names;
}

}  // namespace

std::vector<std::string> tried_flavors(const Tables& tables, const NaiveQuota& quota, const std::string& queue) {
  std::vector<std::string> configured = configured_flavors(tables);
  const auto quota_list = quota.quota_for(queue);
  if (!quota_list) return configured;
  // A flavor that quota names and that does not exist has no nodes.
  std::vector<std::string> names;
  for (const auto& [name, kinds] : *quota_list) names.push_back(name);
  if (tables.queues.at(queue).quota) return names;
  const auto place = [&](const std::string& name) {
    return std::pair(std::ranges::find(configured, name) - configured.begin(), name);
  };
  std::ranges::sort(names, {}, place);
  return names;
}

}  // namespace ym::reference
