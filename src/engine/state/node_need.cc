#include "engine/state/node_need.h"

#include <algorithm>

namespace ym::engine {

NodeRule NodeRule::of(const JobSpec& spec) {
  NodeRule rule{.gpu_type = spec.resources.gpus > 0 ? spec.resources.gpu_type : "",
                .profile = spec.resources.profile,
                .select = spec.placement.select,
                .exclude = spec.placement.exclude};
  std::ranges::sort(rule.exclude);
  const auto repeated = std::ranges::unique(rule.exclude);
  rule.exclude.erase(repeated.begin(), repeated.end());
  return rule;
}

bool NodeRule::admits(const Node& node) const {
  if (!gpu_type.empty() && gpu_type != node.gpu_type) return false;
  if (!profile.empty() && std::ranges::find(node.devices, profile, &Device::profile) == node.devices.end())
    return false;
  if (std::ranges::binary_search(exclude, node.name)) return false;
  return std::ranges::all_of(select, [&](const auto& label) {
    const auto it = node.labels.find(label.first);
    return it != node.labels.end() && it->second == label.second;
  });
}

}  // namespace ym::engine
