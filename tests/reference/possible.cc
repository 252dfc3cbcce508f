#include "reference/possible.h"

namespace ym::reference {

std::vector<std::string> possible_flavors(const NaiveQuota& quota, const Machines& machines, const Job& job,
                                          const std::vector<std::string>& tried) {
  std::vector<std::string> possible;
  for (const auto& flavor : tried)
    if (quota.covers_ever(job, flavor) && !machines.suitable_nodes(job, flavor).empty()) possible.push_back(flavor);
  return possible;
}

std::vector<std::string> serving_flavors(const NaiveQuota& quota, const Machines& machines, const Job& job,
                                         const std::vector<std::string>& tried) {
  auto flavors = possible_flavors(quota, machines, job, tried);
  std::erase_if(flavors, [&](const std::string& flavor) { return machines.serving_nodes(job, flavor).empty(); });
  return flavors;
}

}  // namespace ym::reference
