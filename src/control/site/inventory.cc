#include "control/site/inventory.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <set>
#include <string>
#include <utility>

#include "control/site/configuration.h"

namespace ym {
namespace {

// For users.
constexpr std::string_view kLeaving = "is not there any more; leaves when nothing runs on it";
constexpr std::string_view kGone = "gone";

std::string actor_of(const std::string& cluster) { return "executor:" + cluster; }

const Node* find_node(const Tables& tables, const std::string& name) {
  const auto it = tables.nodes.find(name);
  return it == tables.nodes.end() ? nullptr : &it->second;
}

bool is_anothers(const Node* present, const std::string& cluster) {
  return present != nullptr && present->cluster != cluster;
}

void stage_node(Staging& staging, const std::string& cluster, const Node& seen) {
  const Node* present = find_node(staging.tables(), seen.name);
  if (is_anothers(present, cluster)) {
    spdlog::warn("cluster '{}': its node '{}' has the name of a node of cluster '{}' and is not used", cluster,
                 seen.name, present->cluster);
    return;
  }
  Node wanted = with_drain_kept(staging.tables(), seen);
  wanted.cluster = cluster;
  if (present == nullptr || *present != wanted) staging.add(actor_of(cluster), NodeSet{std::move(wanted)});
}

}  // namespace

// A node that left and is back is in service again.
Node with_drain_kept(const Tables& tables, Node node) {
  const Node* present = find_node(tables, node.name);
  if (present != nullptr && !present->schedulable && !present->leaving) {
    node.schedulable = false;
    node.message = present->message;
  }
  return node;
}

void stage_leaving(Staging& staging, const std::string& actor, const std::function<bool(const Node&)>& leaves) {
  std::vector<Node> leaving;  // staging changes the table
  for (const auto& [name, node] : staging.tables().nodes)
    if (!node.leaving && leaves(node)) leaving.push_back(node);
  for (auto& node : leaving) {
    node.schedulable = false;
    node.message = kLeaving;
    // The node is not available for any job.
    node.withheld = kGone;
    node.full = false;
    node.leaving = true;
    staging.add(actor, NodeSet{std::move(node)});
  }
}

void stage_seen(Staging& staging, const DevicesAreUnhealthy& seen) {
  const Node* present = find_node(staging.tables(), seen.node);
  if (present == nullptr) return;
  Node node = *present;
  for (auto& device : node.devices) {
    const auto why = seen.devices.find(device.id);
    device.healthy = why == seen.devices.end();
    device.message = device.healthy ? std::string() : why->second;
  }
  if (node != *present) staging.add(actor_of(node.cluster), NodeSet{node}, seen.message);
}

void stage_seen(Staging& staging, const NodesAreSeen& seen) {
  if (!staging.tables().clusters.contains(seen.cluster)) return;
  for (const auto& node : seen.nodes) stage_node(staging, seen.cluster, node);
  std::set<std::string> names;
  for (const auto& node : seen.nodes) names.insert(node.name);
  stage_leaving(staging, actor_of(seen.cluster),
                [&](const Node& node) { return node.cluster == seen.cluster && !names.contains(node.name); });
  stage_removals(staging);
}

void stage_seen(Staging& staging, const ClusterIsSeen& seen) {
  const auto it = staging.tables().clusters.find(seen.cluster);
  if (it == staging.tables().clusters.end() || it->second.available == seen.available) return;
  Cluster cluster = it->second;
  cluster.available = seen.available;
  staging.add(actor_of(seen.cluster), ClusterSet{std::move(cluster)}, seen.message);
}

}  // namespace ym
