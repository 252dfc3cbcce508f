#include "reference/machines.h"

#include <algorithm>

#include "model/flavor_mix.h"
#include "reference/parts.h"
#include "reference/slices.h"

namespace ym::reference {

bool Machines::large_enough(const Job& job, const Node& node) {
  const TaskResources& need = job.spec->resources;
  const auto suiting = std::ranges::count_if(node.devices, [&](const Device& one) { return suits(one, need); });
  return suiting >= need.devices() && node.cpus >= need.cpus && node.memory_bytes >= need.memory_bytes;
}

std::string Machines::flavor_of(const Node& node) const {
  if (tables_.flavors.empty()) return std::string(kDefaultFlavor);
  for (const auto& [name, flavor] : tables_.flavors)
    if (flavor.matches(node)) return name;
  return "";
}

bool Machines::rules_allow(const Job& job, const Node& node, const std::string& flavor) const {
  return names(flavor, flavor_of(node)) && rules_allow(job.spec->resources, *job.spec->placement, node);
}

bool Machines::rules_allow(const TaskResources& task, const PlacementRules& rules, const Node& node) {
  if (task.gpus > 0 && !task.gpu_type.empty() && task.gpu_type != node.gpu_type &&
      std::ranges::find(task.other_gpu_types, node.gpu_type) == task.other_gpu_types.end())
    return false;
  if (!task.profile.empty() && std::ranges::find(node.devices, task.profile, &Device::profile) == node.devices.end())
    return false;
  for (const auto& [key, value] : rules.select)
    if (!node.labels.contains(key) || node.labels.at(key) != value) return false;
  return std::ranges::find(rules.exclude, node.name) == rules.exclude.end();
}

std::optional<std::vector<std::string>> Machines::domain(const Job& job, const Node& node,
                                                         const std::string& level) const {
  std::vector<std::string> path{node.cluster};
  std::vector<std::string> labels;
  const auto cluster = tables_.clusters.find(node.cluster);
  if (cluster != tables_.clusters.end() &&
      std::ranges::find(cluster->second.topology, level) != cluster->second.topology.end()) {
    for (const auto& outer : cluster->second.topology) {
      if (outer == level) break;
      labels.push_back(outer);
    }
  }
  labels.push_back(level);
  for (const auto& label : labels) {
    if (!node.labels.contains(label)) return std::nullopt;
    path.push_back(node.labels.at(label));
  }
  if (!job.spec->resources.other_gpu_types.empty()) path.push_back(node.gpu_type);
  return path;
}

std::optional<std::vector<std::string>> Machines::group(const Job& job, const Node& node) const {
  const auto& level = job.spec->placement->required_level;
  if (!is_gang(job)) return std::vector<std::string>{node.cluster};
  if (!level.empty()) return domain(job, node, level);
  if (job.spec->resources.other_gpu_types.empty()) return std::vector<std::string>{node.cluster};
  return std::vector<std::string>{node.cluster, node.gpu_type};
}

bool Machines::suits_a_part(const Job& job, const std::string& flavors, const Node& node, const Test& test) const {
  return std::ranges::any_of(parts_of(job, flavors), [&](const Part& part) {
    return rules_allow(part.job, node, part.flavor) && test(part.job, node);
  });
}

std::vector<std::vector<PartSearch>> Machines::part_searches(const Job& job, const std::string& flavors,
                                                             const std::vector<const Node*>& nodes,
                                                             const Test& test) const {
  std::vector<std::vector<PartSearch>> all;
  for (const auto& parts : by_flavor(parts_of(job, flavors))) {
    auto& here = all.emplace_back();
    for (const Part& part : parts) {
      PartSearch& part_search =
          here.emplace_back(PartSearch{.wanted = static_cast<std::size_t>(part.job.spec->nodes), .nodes = {}});
      for (const Node* node : nodes)
        if (rules_allow(part.job, *node, part.flavor) && test(part.job, *node)) part_search.nodes.push_back(node);
    }
  }
  return all;
}

bool Machines::is_enough(const Job& job, const std::string& flavors, const std::vector<const Node*>& nodes,
                         const Test& test) const {
  // Groups are not in slices.
  const auto enough = [&](const std::vector<PartSearch>& parts) {
    if (parts.size() > 1) return are_enough(parts);
    return in_slices(*this, job, parts.front().nodes).size() >= parts.front().wanted;
  };
  return std::ranges::all_of(part_searches(job, flavors, nodes, test), enough);
}

// Nodes that pass the test, in groups with enough of them for the gang.
std::set<std::string> Machines::nodes_of_large_groups(const Job& job, const std::string& flavors,
                                                      const Test& test) const {
  std::map<std::vector<std::string>, std::vector<const Node*>> groups;
  for (const auto& [name, node] : tables_.nodes)
    if (const auto own = group(job, node); own && suits_a_part(job, flavors, node, test)) groups[*own].push_back(&node);
  std::set<std::string> all;
  for (const auto& [own, nodes] : groups)
    if (is_enough(job, flavors, nodes, test))
      for (const Node* node : nodes) all.insert(node->name);
  return all;
}

std::set<std::string> Machines::suitable_nodes(const Job& job, const std::string& flavor) const {
  return nodes_of_large_groups(job, flavor, large_enough);
}

std::set<std::string> Machines::serving_nodes(const Job& job, const std::string& flavor) const {
  return nodes_of_large_groups(job, flavor, [&](const Job& part, const Node& node) { return can_serve(part, node); });
}

bool Machines::can_serve(const Job& job, const Node& node) const {
  const TaskResources& need = job.spec->resources;
  const auto healthy =
      std::ranges::count_if(node.devices, [&](const Device& one) { return one.healthy && suits(one, need); });
  return large_enough(job, node) && in_service(node) && healthy >= need.devices();
}

bool Machines::cluster_available(const std::string& name) const {
  return tables_.clusters.contains(name) && tables_.clusters.at(name).available;
}
bool Machines::in_service(const Node& node) const { return node.in_service() && cluster_available(node.cluster); }

void Machines::NodeUse::take(const TaskResources& task, const std::vector<std::string>& ids) {
  devices.take(task, ids);
  cpus += task.cpus;
  memory += task.memory_bytes;
  tasks.push_back({.cpus = task.cpus, .memory = task.memory_bytes, .gpus = task.shares_gpu() ? 0 : std::ssize(ids)});
}

bool Machines::has_room_beside(const Job& job, const TaskResources& other, const Node& node) const {
  const TaskResources& need = job.spec->resources;
  const auto of_profile = std::ranges::count(node.devices, other.profile, &Device::profile);
  const auto at_once = other.shares_gpu() ? of_profile * (kMilli / other.gpus) : of_profile / other.devices();
  const std::int64_t most = std::max<std::int64_t>(1, at_once),
                     gpus = std::max<std::int64_t>(1, std::ssize(node.devices));
  std::int64_t cpus = most * other.cpus + need.cpus, memory = most * other.memory_bytes + need.memory_bytes;
  for (const NodeUse::Task& task : use_of(node).tasks) {
    cpus += std::max<std::int64_t>(0, task.cpus - most * other.cpus / gpus * task.gpus);
    memory += std::max<std::int64_t>(0, task.memory - most * other.memory_bytes / gpus * task.gpus);
  }
  return cpus <= node.cpus && memory <= node.memory_bytes;
}

Machines::NodeUse Machines::use_of(const Node& node) const {
  const auto used = use_.find(node.name);
  return used == use_.end() ? NodeUse{} : used->second;
}

ResourceVector Machines::free_on(const Job& job, const Node& node) const {
  const NodeUse in_use = use_of(node);
  ResourceVector free;
  free[ResourceKind::gpus] = in_use.devices.free_milli(job.spec->resources, node);
  free[ResourceKind::cpus] = std::max<std::int64_t>(0, node.cpus - in_use.cpus);
  free[ResourceKind::memory] = std::max<std::int64_t>(0, node.memory_bytes - in_use.memory);
  return free;
}

bool Machines::has_room(const Job& job, const Node& node) const {
  const TaskResources& need = job.spec->resources;
  const auto devices = std::ssize(use_of(node).devices.free(need, node));
  return node.schedulable && devices >= need.devices() && free_on(job, node).covers(need.vector());
}

bool Machines::may_have(const Job& job, const TaskPlacement& placed) const {
  const TaskResources& need = job.spec->resources;
  const Node& node = tables_.nodes.at(placed.node);
  const auto free = use_of(node).devices.free(need, node);
  return std::ssize(placed.devices) == need.devices() &&
         std::ranges::all_of(placed.devices, [&](const auto& id) { return std::ranges::find(free, id) != free.end(); });
}

std::optional<ReasonCode> Machines::lack(const Job& job, const std::string& flavor) const {
  // By group: nodes with room, and all free amounts.
  std::map<std::vector<std::string>, std::pair<std::vector<const Node*>, ResourceVector>> groups;
  for (const auto& name : suitable_nodes(job, flavor)) {
    const Node& node = tables_.nodes.at(name);
    if (!cluster_available(node.cluster)) continue;
    auto& [fitting, free] = groups[*group(job, node)];
    if (!node.schedulable) continue;
    if (has_room(job, node)) fitting.push_back(&node);
    free += free_on(job, node);
  }
  if (groups.empty()) return ReasonCode::cluster_unavailable;
  bool enough = false;
  for (const auto& [own, now] : groups) {
    if (in_slices(*this, job, now.first).size() >= static_cast<std::size_t>(job.spec->nodes)) return std::nullopt;
    enough = enough || now.second.covers(job.spec->total());
  }
  return enough ? ReasonCode::fragmented : ReasonCode::waiting_for_capacity;
}

bool Machines::have_room_together(const Job& job, const std::string& flavors) const {
  const Test has_room_now = [&](const Job& part, const Node& node) { return in_service(node) && has_room(part, node); };
  return !nodes_of_large_groups(job, flavors, has_room_now).empty();
}

void Machines::take(const JobSpec& spec, const std::vector<TaskPlacement>& placement) {
  for (const auto& placed : placement) use_[placed.node].take(spec.resources_of(placed.task), placed.devices);
}

}  // namespace ym::reference
