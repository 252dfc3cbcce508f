#include "reference/machines.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace ym::reference {
namespace {

bool large_enough(const Job& job, const Node& node) {
  const TaskResources& need = job.spec->resources;
  return static_cast<std::int64_t>(node.devices.size()) * kMilli >= need.gpus && node.cpus >= need.cpus &&
         node.memory_bytes >= need.memory_bytes;
}

}  // namespace

std::string Machines::flavor_of(const Node& node) const {
  if (tables_.flavors.empty()) return std::string(kDefaultFlavor);
  for (const auto& [name, flavor] : tables_.flavors)
    if (flavor.matches(node)) return name;
  return "";
}

bool Machines::rules_allow(const Job& job, const Node& node, const std::string& flavor) const {
  const JobSpec& spec = *job.spec;
  if (flavor_of(node) != flavor) return false;
  if (spec.resources.gpus > 0 && !spec.resources.gpu_type.empty() && spec.resources.gpu_type != node.gpu_type)
    return false;
  for (const auto& [key, value] : spec.placement.select)
    if (!node.labels.contains(key) || node.labels.at(key) != value) return false;
  return std::ranges::find(spec.placement.exclude, node.name) == spec.placement.exclude.end();
}

std::optional<std::vector<std::string>> Machines::domain(const Node& node, const std::string& level) const {
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
  return path;
}

std::optional<std::vector<std::string>> Machines::group(const Job& job, const Node& node) const {
  const auto& level = job.spec->placement.required_level;
  // Asked of the job as it was submitted: an elastic one has it at every size.
  const bool gang = tables_.jobs.at(job.id).spec->nodes > 1;
  if (level.empty() || !gang) return std::vector<std::string>{node.cluster};
  return domain(node, level);
}

// Nodes that pass the test, in groups with enough of them for the gang.
template <class Test>
std::set<std::string> Machines::nodes_of_large_groups(const Job& job, Test test) const {
  std::map<std::vector<std::string>, std::set<std::string>> groups;
  for (const auto& [name, node] : tables_.nodes)
    if (const auto own = group(job, node); own && test(node)) groups[*own].insert(name);
  std::set<std::string> all;
  for (const auto& [own, names] : groups)
    if (names.size() >= static_cast<std::size_t>(job.spec->nodes)) all.insert(names.begin(), names.end());
  return all;
}

std::set<std::string> Machines::suitable_nodes(const Job& job, const std::string& flavor) const {
  return nodes_of_large_groups(
      job, [&](const Node& node) { return rules_allow(job, node, flavor) && large_enough(job, node); });
}

std::set<std::string> Machines::serving_nodes(const Job& job, const std::string& flavor) const {
  return nodes_of_large_groups(
      job, [&](const Node& node) { return rules_allow(job, node, flavor) && can_serve(job, node); });
}

bool Machines::can_serve(const Job& job, const Node& node) const {
  const auto healthy = std::ranges::count_if(node.devices, &Device::healthy);
  return large_enough(job, node) && in_service(node) && healthy * kMilli >= job.spec->resources.gpus;
}

bool Machines::cluster_available(const std::string& name) const {
  return tables_.clusters.contains(name) && tables_.clusters.at(name).available;
}
bool Machines::in_service(const Node& node) const { return node.schedulable && cluster_available(node.cluster); }

std::vector<std::string> Machines::free_devices(const Node& node) const {
  std::vector<std::string> free;
  const auto used = use_.find(node.name);
  for (const auto& device : node.devices)
    if (device.healthy && (used == use_.end() || !used->second.devices.contains(device.id))) free.push_back(device.id);
  return free;
}
ResourceVector Machines::free_on(const Node& node) const {
  ResourceVector free;
  const auto used = use_.find(node.name);
  const NodeUse none;
  const NodeUse& in_use = used == use_.end() ? none : used->second;
  free[ResourceKind::gpus] = static_cast<std::int64_t>(free_devices(node).size()) * kMilli;
  free[ResourceKind::cpus] = std::max<std::int64_t>(0, node.cpus - in_use.cpus);
  free[ResourceKind::memory] = std::max<std::int64_t>(0, node.memory_bytes - in_use.memory);
  return free;
}
bool Machines::has_room(const Job& job, const Node& node) const {
  return node.schedulable && free_on(node).covers(job.spec->resources.vector());
}

Machines::Cost Machines::cost(const Job& job, const Node& node) const {
  const TaskResources& need = job.spec->resources;
  const auto used = use_.find(node.name);
  const NodeUse in_use = used == use_.end() ? NodeUse{} : used->second;
  Cost cost{need.gpus == 0 && !node.devices.empty(), 0,
            static_cast<std::int64_t>(free_devices(node).size()) - need.gpus / kMilli,
            node.cpus - in_use.cpus - need.cpus, node.memory_bytes - in_use.memory - need.memory_bytes};
  if (scoring_ == Scoring::spread)
    for (auto& part : {2U, 3U, 4U}) cost.at(part) = -cost.at(part);
  cost[1] = score(job, node);
  return cost;
}

std::int64_t Machines::score(const Job& job, const Node& node) const {
  if (scoring_ == Scoring::best_fit) return 0;
  if (scoring_ == Scoring::fgd) {
    const auto [before, tasks] = fragments(node, {});
    const auto after = fragments(node, job.spec->resources).milli_gpus;
    if (tasks == 0) return 0;
    const double change = std::trunc(static_cast<double>(before - after) / static_cast<double>(tasks));
    return 100 - static_cast<std::int64_t>(std::floor(100 / (1 + std::exp(-change / 1000))));
  }
  const auto used = use_.find(node.name);
  const auto cpus = node.cpus - (used == use_.end() ? 0 : used->second.cpus);
  std::int64_t idle = node.cpus > 0 ? cpus * kMilli / node.cpus : 0;
  if (!node.devices.empty()) idle = static_cast<std::int64_t>(free_devices(node).size() * kMilli / node.devices.size());
  return scoring_ == Scoring::pack ? idle : -idle;
}

Machines::Fragments Machines::fragments(const Node& node, const TaskResources& taken) const {
  using Need = std::array<std::int64_t, 3>;
  std::map<Need, std::int64_t> tasks;
  std::int64_t all = 0, counted = 0, useless = 0;
  for (const auto& [id, job] : tables_.jobs) {
    if (is_terminal(job.state) || job.spec->resources.gpus == 0) continue;
    const TaskResources& need = job.spec->resources;
    tasks[{need.gpus / kMilli, need.cpus, need.memory_bytes}] += job.spec->nodes;
    all += job.spec->nodes;
  }
  std::vector<std::pair<std::int64_t, Need>> types;
  for (const auto& [need, count] : tasks) types.emplace_back(count, need);
  std::ranges::sort(types, std::greater<>());
  const auto used = use_.find(node.name);
  const NodeUse in_use = used == use_.end() ? NodeUse{} : used->second;
  const Need free{static_cast<std::int64_t>(free_devices(node).size()) - taken.gpus / kMilli,
                  node.cpus - in_use.cpus - taken.cpus, node.memory_bytes - in_use.memory - taken.memory_bytes};
  for (std::size_t i = 0; i < types.size() && i < 16 && counted * 100 < all * 97; ++i) {
    const auto& [count, need] = types[i];
    counted += count;
    const bool runs = need[0] > 0 && free[0] >= need[0] && (need[1] == 0 || free[1] >= need[1]) &&
                      (need[2] == 0 || free[2] >= need[2]);
    if (!runs) useless += count * free[0] * kMilli;
  }
  // And for some it is no use unless all of the node is idle.
  const std::int64_t whole = counted == 0 ? 0 : std::max<std::int64_t>(1, counted / 8);
  if (free[0] != static_cast<std::int64_t>(node.devices.size())) useless += whole * free[0] * kMilli;
  counted += whole;
  return {.milli_gpus = useless, .tasks = counted};
}

std::optional<ReasonCode> Machines::lack(const Job& job, const std::string& flavor) const {
  // By group: nodes with room; all that is free.
  std::map<std::vector<std::string>, std::pair<std::size_t, ResourceVector>> groups;
  for (const auto& name : suitable_nodes(job, flavor)) {
    const Node& node = tables_.nodes.at(name);
    if (!cluster_available(node.cluster)) continue;
    auto& [fitting, free] = groups[*group(job, node)];
    if (!node.schedulable) continue;
    fitting += has_room(job, node) ? 1 : 0;
    free += free_on(node);
  }
  if (groups.empty()) return ReasonCode::cluster_unavailable;
  bool enough = false;
  for (const auto& [own, now] : groups) {
    if (now.first >= static_cast<std::size_t>(job.spec->nodes)) return std::nullopt;
    enough = enough || now.second.covers(job.spec->total());
  }
  return enough ? ReasonCode::fragmented : ReasonCode::waiting_for_capacity;
}

void Machines::take(const JobSpec& spec, const std::vector<TaskPlacement>& placement) {
  for (const auto& placed : placement) {
    NodeUse& node = use_[placed.node];
    node.devices.insert(placed.devices.begin(), placed.devices.end());
    node.cpus += spec.resources.cpus;
    node.memory += spec.resources.memory_bytes;
  }
}

}  // namespace ym::reference
