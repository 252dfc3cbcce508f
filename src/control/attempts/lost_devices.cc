#include "control/attempts/lost_devices.h"

#include <algorithm>
#include <set>
#include <utility>

#include "model/flavor_mix.h"

namespace ym {
namespace {

using Devices = std::set<std::pair<std::string, std::string>>;  // node, id

Devices taken_by(const std::vector<TaskPlacement>& placement) {
  Devices taken;
  for (const auto& task : placement)
    for (const auto& device : task.devices) taken.emplace(task.node, device);
  return taken;
}

Devices taken_in(const Tables& tables) {
  Devices taken;
  for (const auto& [key, attempt] : tables.attempts)
    if (attempt.state != AttemptState::ended) taken.merge(taken_by(attempt.placement));
  return taken;
}

// Chooses the first devices that no attempt has, and then the first of the others.
void choose(const Node& node, const TaskResources& wanted, Devices& taken, TaskPlacement& task) {
  for (const bool among_taken : {false, true})
    for (const auto& device : node.devices) {
      if (std::ssize(task.devices) == wanted.devices()) return;
      if (device.profile != wanted.profile || taken.contains({node.name, device.id}) != among_taken) continue;
      task.devices.push_back(device.id);
    }
}

// A node without a flavor is charged to the default one.
std::string charged_flavor(const Tables& tables, const std::string& node) {
  const auto flavor = flavor_of(tables, tables.nodes.at(node));
  return flavor.empty() ? std::string(kDefaultFlavor) : flavor;
}

// The first task of each group, and the first task after the anchor.
std::vector<std::size_t> parts_of(const JobSpec& spec, std::size_t tasks) {
  std::vector<std::size_t> firsts{0};
  for (const auto& group : spec.groups) firsts.push_back(firsts.back() + static_cast<std::size_t>(group.nodes));
  if (!spec.groups.empty()) firsts.pop_back();
  const auto anchor = static_cast<std::size_t>(spec.placement->anchor);
  if (anchor > 0) firsts.push_back(anchor);
  std::erase_if(firsts, [&](std::size_t first) { return first >= tasks; });
  return firsts;
}

}  // namespace

void choose_devices(const Tables& tables, const JobSpec& spec, std::vector<TaskPlacement>& placement) {
  Devices taken = taken_in(tables);
  for (auto& task : placement) {
    const auto& wanted = spec.resources_of(task.task);
    if (!task.devices.empty() || wanted.gpus == 0) continue;
    choose(tables.nodes.at(task.node), wanted, taken, task);
    taken.merge(taken_by({task}));
  }
}

std::string flavors_of(const Tables& tables, const JobSpec& spec, const std::vector<TaskPlacement>& placement) {
  std::vector<std::string> parts;
  for (const auto first : parts_of(spec, placement.size()))
    parts.push_back(charged_flavor(tables, placement[first].node));
  const bool all_alike = std::ranges::all_of(parts, [&](const auto& part) { return part == parts.front(); });
  return all_alike ? parts.front() : join_flavors(parts);
}

}  // namespace ym
