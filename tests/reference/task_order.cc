#include "reference/task_order.h"

#include <algorithm>
#include <map>
#include <span>
#include <string>

namespace ym::reference {
namespace {

using Nodes = std::vector<const Node*>;

// Domain by domain of the first level, and within it by the other levels. Nodes without the label come last.
Nodes by_levels(const Nodes& nodes, std::span<const std::string> levels, const Node* before) {
  if (levels.empty()) return nodes;
  std::map<std::string, Nodes> domains;
  Nodes others;
  for (const Node* node : nodes)
    if (node->labels.contains(levels.front())) domains[node->labels.at(levels.front())].push_back(node);
    else others.push_back(node);
  Nodes ordered;
  const auto append = [&](const Nodes& more) { ordered.insert(ordered.end(), more.begin(), more.end()); };
  if (before && before->labels.contains(levels.front()))
    if (const auto beside = domains.find(before->labels.at(levels.front())); beside != domains.end()) {
      append(by_levels(beside->second, levels.subspan(1), before));
      domains.erase(beside);
    }
  for (const auto& [name, own] : domains) append(by_levels(own, levels.subspan(1), nullptr));
  append(others);
  return ordered;
}

// After each node come all others of its domain of the level.
Nodes gathered(const Machines& machines, const Job& job, const std::string& level, const Nodes& nodes,
               const Node* before) {
  Nodes ordered;
  const auto add_domain_of = [&](const Node& node) {
    const auto domain = machines.domain(job, node, level);
    for (const Node* one : nodes) {
      const bool same = one == &node || (domain && machines.domain(job, *one, level) == domain);
      if (same && std::ranges::find(ordered, one) == ordered.end()) ordered.push_back(one);
    }
  };
  if (before) add_domain_of(*before);
  for (const Node* node : nodes) add_domain_of(*node);
  return ordered;
}

}  // namespace

Nodes by_task(const Tables& tables, const Machines& machines, const Job& job, Nodes nodes, const Node* before) {
  std::ranges::sort(nodes, {}, &Node::name);
  if (nodes.empty() || !machines.is_gang(job)) return nodes;
  const auto cluster = tables.clusters.find(nodes.front()->cluster);
  if (cluster != tables.clusters.end()) nodes = by_levels(nodes, cluster->second.topology, before);
  const PlacementRules& rules = *job.spec->placement;
  const std::string level = rules.slice ? rules.slice->level : rules.preferred_level;
  return level.empty() ? nodes : gathered(machines, job, level, nodes, before);
}

}  // namespace ym::reference
