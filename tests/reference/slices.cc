#include "reference/slices.h"

#include <map>
#include <string>

namespace ym::reference {
namespace {

bool asks_for_slices(const Machines& machines, const Job& job) {
  return job.spec->placement->slice && machines.is_gang(job);
}

}  // namespace

std::vector<const Node*> in_slices(const Machines& machines, const Job& job, const std::vector<const Node*>& nodes) {
  if (!asks_for_slices(machines, job)) return nodes;
  const SliceRule& rule = *job.spec->placement->slice;
  std::map<std::vector<std::string>, std::vector<const Node*>> begun;
  std::vector<const Node*> whole;
  for (const Node* node : nodes) {
    const auto domain = machines.domain(job, *node, rule.level);
    if (!domain) continue;
    auto& slice = begun[*domain];
    slice.push_back(node);
    if (static_cast<std::int32_t>(slice.size()) < rule.nodes) continue;
    whole.insert(whole.end(), slice.begin(), slice.end());
    slice.clear();
  }
  return whole;
}

bool are_in_slices(const Machines& machines, const Job& job, const std::vector<const Node*>& by_task) {
  if (!asks_for_slices(machines, job)) return true;
  const SliceRule& rule = *job.spec->placement->slice;
  const auto size = static_cast<std::size_t>(rule.nodes);
  if (by_task.size() % size != 0) return false;
  for (std::size_t task = 0; task < by_task.size(); ++task) {
    const auto domain = machines.domain(job, *by_task[task], rule.level);
    if (!domain || domain != machines.domain(job, *by_task[task / size * size], rule.level)) return false;
  }
  return true;
}

}  // namespace ym::reference
