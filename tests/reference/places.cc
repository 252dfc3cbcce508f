#include "reference/places.h"

#include <algorithm>

namespace ym::reference {
namespace {

Start start_on(const Machines& machines, const Job& job, const std::string& flavor, const std::string& cluster,
               std::vector<const Node*> nodes) {
  std::ranges::sort(nodes, {}, &Node::name);
  Start start{.job = job.id, .cluster = cluster, .flavor = flavor, .placement = {}};
  for (const Node* node : nodes) {
    auto devices = machines.free_devices(*node);
    devices.resize(static_cast<std::size_t>(job.spec->resources.gpus / kMilli));
    start.placement.push_back(
        {.task = static_cast<std::int32_t>(start.placement.size()), .node = node->name, .devices = devices});
  }
  return start;
}

}  // namespace

std::optional<Start> best_place(const Tables& tables, const Machines& machines, const Keepers& keepers,
                                const Promises& promises, const Job& job, const std::string& flavor) {
  std::map<std::string, std::vector<const Node*>> by_cluster;
  for (const auto& [name, node] : tables.nodes)
    if (machines.rules_allow(job, node, flavor) && machines.in_service(node) && machines.has_room(job, node) &&
        !keepers.keep_node(name) && !promises.in_the_way(job, node))
      by_cluster[node.cluster].push_back(&node);
  std::optional<Start> best;
  Machines::Cost best_cost{};
  for (auto& [cluster, nodes] : by_cluster) {
    if (nodes.size() < static_cast<std::size_t>(job.spec->nodes)) continue;
    std::ranges::sort(nodes, {}, [&](const Node* node) { return std::pair(machines.cost(job, *node), node->name); });
    nodes.resize(static_cast<std::size_t>(job.spec->nodes));
    Machines::Cost total{};
    for (const Node* node : nodes)
      for (std::size_t i = 0; i < total.size(); ++i) total.at(i) += machines.cost(job, *node).at(i);
    if (best && best_cost <= total) continue;
    best_cost = total;
    best = start_on(machines, job, flavor, cluster, nodes);
  }
  return best;
}

}  // namespace ym::reference
