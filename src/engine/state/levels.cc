#include "engine/state/levels.h"

#include <algorithm>
#include <tuple>

namespace ym::engine {
namespace {

// The labels that have to be alike, the outermost first.
std::vector<std::string> labels_of(const std::map<std::string, Cluster>& clusters, const std::string& cluster,
                                   const std::string& level) {
  if (level.empty()) return {};
  const auto row = clusters.find(cluster);
  if (row == clusters.end()) return {level};
  const auto& all = row->second.topology;
  const auto own = std::ranges::find(all, level);
  if (own == all.end()) return {level};
  return {all.begin(), own + 1};
}

// Nothing: a label is missing.
std::optional<std::vector<std::string>> path_of(const Node& node, const std::vector<std::string>& labels) {
  std::vector<std::string> path;
  for (const auto& label : labels) {
    const auto value = node.labels.find(label);
    if (value == node.labels.end()) return std::nullopt;
    path.push_back(value->second);
  }
  return path;
}

}  // namespace

std::string Topology::name(Index level) const {
  const std::string& text = names_[level];
  return is_of_one_type(level) ? text.substr(0, text.size() - 1) : text;
}

void Topology::renew(const Machines& machines, std::uint64_t as_of) {
  if (as_of_ != as_of) {
    pools_.clear();
    domains_.clear();
    outside_.clear();
  }
  as_of_ = as_of;
  // A level that lies outside of another is one that may be asked for too.
  for (auto level = static_cast<Index>(outside_.size()); level < names_.size(); ++level) {
    find_outside(machines, level);
    find_domains(machines, level);
  }
}

void Topology::find_outside(const Machines& machines, Index level) {
  const std::string own_name = name(level);
  std::string next;
  for (const auto& [cluster_name, cluster] : machines.clusters) {
    const auto own = std::ranges::find(cluster.topology, own_name);
    if (own == cluster.topology.end()) continue;
    if (own != cluster.topology.begin()) next = *std::prev(own);
    break;
  }
  // What is of one type is so outside too.
  if (next.empty()) outside_.push_back(kNone);
  else outside_.push_back(is_of_one_type(level) ? level_of_one_type(next) : this->level(next));
}

void Topology::find_domains(const Machines& machines, Index level) {
  using Domain = std::pair<std::string, std::vector<std::string>>;  // cluster, values
  std::map<Domain, std::vector<Index>> nodes_of;
  std::map<std::string, std::vector<std::string>> labels;
  for (const auto& [node_name, node] : machines.node_names.by_name()) {
    if (!machines.rows[node]) continue;
    const std::string& cluster = machines.rows[node]->cluster;
    const auto [own, fresh] = labels.try_emplace(cluster);
    if (fresh) own->second = labels_of(machines.clusters, cluster, name(level));
    auto path = path_of(*machines.rows[node], own->second);
    if (!path) continue;
    if (is_of_one_type(level)) path->push_back(machines.rows[node]->gpu_type);
    nodes_of[{cluster, std::move(*path)}].push_back(node);
  }
  auto& domains = domains_.emplace_back(machines.rows.size(), kNone);
  auto& pools = pools_.emplace_back();
  Index domain = 0;
  for (const auto& [path, nodes] : nodes_of) {
    for (const Index node : nodes) {
      domains[node] = domain;
      const Index flavor = machines.flavor_of[node];
      if (flavor == kNone) continue;
      if (pools.size() <= flavor) pools.resize(std::size_t{flavor} + 1);
      auto& own = pools[flavor];
      const bool first = own.empty() || domains[own.back().nodes.front()] != domain;
      if (first) own.push_back({.cluster = machines.cluster[node], .nodes = {}});
      own.back().nodes.push_back(node);
    }
    ++domain;
  }
}

std::span<const Pool> Topology::pools(Index level, Index flavor) const {
  if (flavor >= pools_[level].size()) return {};
  return pools_[level][flavor];
}

}  // namespace ym::engine
