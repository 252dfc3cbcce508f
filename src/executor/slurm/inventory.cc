#include "executor/slurm/inventory.h"

#include <algorithm>
#include <ranges>

#include "executor/slurm/client/node_text.h"
#include "executor/slurm/node_watch.h"
#include "executor/slurm/power_up_jobs.h"

namespace ym::slurm {
namespace {

constexpr std::int64_t kMostMib = std::int64_t{1} << 40;

std::string partition_of(const Facts& facts, const SlurmOptions& options) {
  if (!options.partition.empty()) return options.partition;
  const auto found = std::ranges::find_if(facts.partitions, [](const auto& one) { return one.second.is_default; });
  return found == facts.partitions.end() ? "" : found->first;
}

// Of several types of GPU a node offers the most frequent one: a model node has only one.
std::pair<std::string, std::int64_t> gpus_of(const NodeRow& row) {
  std::pair<std::string, std::int64_t> best;
  for (const auto& [type, count] : parse_gpus(row.gres))
    if (count > best.second) best = {type, count};
  best.second = std::min<std::int64_t>(best.second, static_cast<std::int64_t>(kMaxDevicesPerNode));
  return best;
}

std::int64_t others_gpus(const NodeRow& row, const std::string& type, const Ours& ours) {
  const auto used = parse_gpus(row.gres_used);
  const auto ours_of_type = ours.gpus.find(type);
  const auto all = used.find(type);
  if (all == used.end()) return 0;
  return std::max<std::int64_t>(all->second - (ours_of_type == ours.gpus.end() ? 0 : ours_of_type->second), 0);
}

std::vector<Device> devices_of(const NodeRow& row, const std::string& type, std::int64_t count, const Ours& ours) {
  std::vector<Device> devices;
  for (std::int64_t i = 0; i < count; ++i) devices.push_back({.id = std::to_string(i)});
  auto taken = others_gpus(row, type, ours);
  for (auto& device : devices | std::views::reverse) {
    if (taken == 0) break;
    if (ours.devices.contains(device.id)) continue;
    device.foreign = true;
    --taken;
  }
  return devices;
}

// "k=v" and "k:v" become label k with value v; "f" becomes label f.
void add_feature(const std::string& feature, std::map<std::string, std::string>& labels) {
  const auto at = feature.find_first_of("=:");
  if (at == std::string::npos) labels.emplace(feature, "true");
  else if (at > 0) labels.emplace(feature.substr(0, at), feature.substr(at + 1));
}

std::map<std::string, std::string> labels_of(const NodeRow& row, const Facts& facts, const std::string& partition) {
  std::map<std::string, std::string> labels;
  if (const auto found = facts.topology.find(row.name); found != facts.topology.end()) labels = found->second;
  if (!partition.empty()) labels["partition"] = partition;
  for (const auto& feature : row.features) add_feature(feature, labels);
  const auto is = [&](std::string_view state) { return std::ranges::find(row.states, state) != row.states.end(); };
  if (is("POWERING_UP")) labels["slurm-power"] = "starting";
  else if (is("POWERED_DOWN")) labels["slurm-power"] = "down";
  return labels;
}

// A power-up job uses the whole node if Slurm allocates whole nodes, else a core.
bool is_given_whole(const Facts& facts, const std::string& partition) {
  const auto found = facts.partitions.find(partition);
  return facts.whole_nodes || (found != facts.partitions.end() && found->second.whole_nodes);
}

// As much as is used: other jobs can have nothing on the same node.
Ours all_of(const NodeRow& row, Ours ours) {
  ours.cpus = row.cpus_used;
  ours.memory_mib = row.memory_mib_used;
  for (const auto& [type, count] : parse_gpus(row.gres_used)) ours.gpus[type] = count;
  return ours;
}

Ours with_power_up_job(const NodeRow& row, const Facts& facts, const std::string& partition, Ours ours) {
  if (!ours.woken) return ours;
  if (is_given_whole(facts, partition)) return all_of(row, std::move(ours));
  ours.cpus += kMostPowerUpCpus;
  ours.memory_mib += kPowerUpMemoryMib;
  return ours;
}

Node node_of(const NodeRow& row, const Facts& facts, const SlurmOptions& options, const Ours& known) {
  const auto partition = partition_of(facts, options);
  const auto ours = with_power_up_job(row, facts, partition, known);
  const auto [type, count] = gpus_of(row);
  Node node{.name = row.name, .cluster = options.cluster, .gpu_type = type};
  node.devices = devices_of(row, type, count, ours);
  const auto cpus = row.cpus - std::max<std::int64_t>(row.cpus_used - ours.cpus, 0);
  const auto mib = row.memory_mib - std::max<std::int64_t>(row.memory_mib_used - ours.memory_mib, 0);
  node.cpus = std::clamp<std::int64_t>(cpus, 0, 1'000'000) * kMilli;
  node.memory_bytes = std::clamp<std::int64_t>(mib, 0, kMostMib) * kMiB;
  node.labels = labels_of(row, facts, partition);
  node.withheld = why_withheld(row, !options.reservation.empty());
  return node;
}

}  // namespace

void Ours::add(const Part& part) {
  const auto tasks = part.tasks_per_node;
  cpus += part.cpus * tasks;
  memory_mib += (part.memory_bytes * tasks + kMiB - 1) / kMiB;
  if (part.gpus > 0) gpus[part.gpu_type] += part.gpus * tasks;
}

std::vector<Node> make_nodes(const std::vector<NodeRow>& rows, const Facts& facts, const SlurmOptions& options,
                             const std::map<std::string, Ours>& ours) {
  const auto partition = partition_of(facts, options);
  std::vector<Node> nodes;
  for (const auto& row : rows) {
    const bool is_in = partition.empty() || std::ranges::find(row.partitions, partition) != row.partitions.end();
    const auto mine = ours.find(row.name);
    if (is_in) nodes.push_back(node_of(row, facts, options, mine == ours.end() ? Ours{} : mine->second));
  }
  return nodes;
}

}  // namespace ym::slurm
