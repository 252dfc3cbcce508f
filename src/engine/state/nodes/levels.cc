#include "engine/state/nodes/levels.h"

#include <algorithm>
#include <tuple>

namespace ym::engine {
namespace {

// The labels that must be equal, the outermost first.
std::vector<std::string> labels_of(const std::vector<std::string>& topology, const std::string& level) {
  if (level.empty()) return {};
  const auto own = std::ranges::find(topology, level);
  if (own == topology.end()) return {level};
  return {topology.begin(), own + 1};
}

// Nothing: a label is missing.
std::optional<std::vector<std::string>> values_of(const Node& node, const std::vector<std::string>& labels) {
  std::vector<std::string> path;
  for (const auto& label : labels) {
    const auto value = node.labels.find(label);
    if (value == node.labels.end()) return std::nullopt;
    path.push_back(value->second);
  }
  return path;
}

}  // namespace

std::string Topology::name(LevelIndex level) const {
  const std::string& text = names_[level];
  return is_of_one_type(level) ? text.substr(0, text.size() - 1) : text;
}

void Topology::renew(const Machines& machines, std::uint64_t as_of) {
  tree_.renew();
  if (as_of_ != as_of) {
    pools_.clear();
    domains_.clear();
    outside_.clear();
    labels_.clear();
  }
  as_of_ = as_of;
  // An outer level of a level may be new, and is then interned too.
  while (outside_.size() < names_.size()) {
    const LevelIndex level = outside_.end_index();
    find_outside(machines, level);
    find_domains(machines, level);
  }
}

// With as many labels as the node has.
void Topology::follow(const Clusters& clusters, NodeIndex node, const Node* row) {
  std::vector<std::string> path;
  if (const auto own = row ? clusters.find(row->cluster) : clusters.end(); own != clusters.end())
    for (const std::string& label : own->second.topology) {
      const auto value = row->labels.find(label);
      if (value == row->labels.end()) break;
      path.push_back(value->second);
    }
  tree_.set(node, path);
}

void Topology::follow(const Clusters& clusters, const std::string& cluster,
                      const IndexedVector<NodeIndex, std::optional<Node>>& rows) {
  for (const NodeIndex node : indices<NodeIndex>(rows.size()))
    if (rows[node] && rows[node]->cluster == cluster) follow(clusters, node, &*rows[node]);
}

void Topology::find_outside(const Machines& machines, LevelIndex level) {
  const std::string own_name = name(level);
  std::string next;
  for (const auto& [cluster_name, cluster] : machines.clusters) {
    const auto own = std::ranges::find(cluster.topology, own_name);
    if (own == cluster.topology.end()) continue;
    if (own != cluster.topology.begin()) next = *std::prev(own);
    break;
  }
  // The outer level of a level with one GPU type also has one GPU type.
  if (next.empty()) outside_.push_back(kNone);
  else outside_.push_back(is_of_one_type(level) ? level_of_one_type(next) : this->level(next));
}

void Topology::find_labels(const Machines& machines, LevelIndex level) {
  labels_.emplace_back();
  auto& labels = labels_.back();
  for (const auto& [cluster, row] : machines.clusters) labels[cluster] = labels_of(row.topology, name(level));
}

std::optional<std::vector<std::string>> Topology::path(const Node& node, LevelIndex level) const {
  const auto known = labels_[level].find(node.cluster);
  auto values =
      known == labels_[level].end() ? values_of(node, labels_of({}, name(level))) : values_of(node, known->second);
  if (values && is_of_one_type(level)) values->push_back(node.gpu_type);
  return values;
}

void Topology::find_domains(const Machines& machines, LevelIndex level) {
  using Domain = std::pair<std::string, std::vector<std::string>>;  // cluster, values
  std::map<Domain, std::vector<NodeIndex>> nodes_of;
  find_labels(machines, level);
  for (const auto& [node_name, node] : machines.node_names.by_name()) {
    if (!machines.rows[node]) continue;
    const std::string& cluster = machines.rows[node]->cluster;
    if (auto values = path(*machines.rows[node], level)) nodes_of[{cluster, std::move(*values)}].push_back(node);
  }
  auto& domains = domains_[domains_.emplace_back(machines.rows.size(), kNone)];
  auto& pools = pools_[pools_.emplace_back()];
  DomainIndex domain{0};
  for (const auto& [path, nodes] : nodes_of) {
    for (const NodeIndex node : nodes) {
      domains[node] = domain;
      const FlavorIndex flavor = machines.flavor_of[node];
      if (flavor == kNone) continue;
      pools.grow_to(flavor);
      auto& own = pools[flavor];
      const bool first = own.empty() || domains[own.back().nodes[PlaceInPool{0}]] != domain;
      if (first) own.push_back({.cluster = machines.cluster[node], .nodes = {}});
      own.back().nodes.push_back(node);
    }
    ++domain;
  }
}

IndexedSpan<PoolIndex, Pool> Topology::pools(LevelIndex level, FlavorIndex flavor) const {
  if (!pools_[level].has(flavor)) return {};
  return pools_[level][flavor];
}

}  // namespace ym::engine
