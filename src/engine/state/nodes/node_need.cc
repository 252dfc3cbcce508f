#include "engine/state/nodes/node_need.h"

#include <algorithm>

namespace ym::engine {
namespace {

std::vector<std::string> types_of(const TaskResources& resources) {
  if (resources.gpus == 0 || resources.gpu_type.empty()) return {};
  auto types = resources.other_gpu_types;
  types.push_back(resources.gpu_type);
  std::ranges::sort(types);
  const auto repeated = std::ranges::unique(types);
  types.erase(repeated.begin(), repeated.end());
  return types;
}

}  // namespace

NodeRule NodeRule::of(const TaskResources& resources, const PlacementRules& placement) {
  NodeRule rule{.gpu_types = types_of(resources),
                .profile = resources.profile,
                .select = placement.select,
                .exclude = placement.exclude};
  std::ranges::sort(rule.exclude);
  const auto repeated = std::ranges::unique(rule.exclude);
  rule.exclude.erase(repeated.begin(), repeated.end());
  return rule;
}

bool NodeRule::admits(const Node& node) const {
  if (!gpu_types.empty() && !std::ranges::binary_search(gpu_types, node.gpu_type)) return false;
  if (!profile.empty() && std::ranges::find(node.devices, profile, &Device::profile) == node.devices.end())
    return false;
  if (std::ranges::binary_search(exclude, node.name)) return false;
  return std::ranges::all_of(select, [&](const auto& label) {
    const auto it = node.labels.find(label.first);
    return it != node.labels.end() && it->second == label.second;
  });
}

}  // namespace ym::engine
