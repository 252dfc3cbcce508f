// Topology: the domains of each level that jobs ask for, as pools of nodes.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/state/names.h"
#include "engine/state/nodes/domain_tree.h"
#include "model/cluster.h"

namespace ym::engine {

// What a gang asks for about the distance of its nodes. kNone: only the same cluster.
struct Levels {
  LevelIndex required = kNone;   // all nodes in one domain of it
  LevelIndex preferred = kNone;  // all nodes in one domain if possible, else in as few as possible
  LevelIndex slice = kNone;      // each `slice_nodes` of them in one domain of it (slices.h)
  std::uint32_t slice_nodes = 1;
  auto operator<=>(const Levels&) const = default;
};

// Nodes of one flavor in one cluster, or in one domain of it. A gang or a part stays within a pool.
struct Pool {
  ClusterIndex cluster = kNone;
  IndexedVector<PlaceInPool, NodeIndex> nodes;  // by name
};

class Topology {
 public:
  // Empty: kNone. The same name always gives the same index.
  LevelIndex level(const std::string& name) { return name.empty() ? LevelIndex{} : names_.intern(name); }
  // A level whose domains have GPUs of one type each. Empty: whole clusters.
  LevelIndex level_of_one_type(const std::string& name) { return names_.intern(name + kOneType); }
  bool is_of_one_type(LevelIndex level) const { return names_[level].ends_with(kOneType); }
  // Whether its domains are whole clusters, apart from the GPU type.
  bool is_whole_cluster(LevelIndex level) const { return names_[level].size() == 1 && is_of_one_type(level); }
  // As it was asked for.
  std::string name(LevelIndex level) const;

  // The machines' rows, by node. A node that does not exist has no row.
  struct Machines {
    const std::map<std::string, Cluster>& clusters;
    const Names<NodeIndex>& node_names;
    const IndexedVector<NodeIndex, std::optional<Node>>& rows;
    const IndexedVector<NodeIndex, ClusterIndex>& cluster;
    const IndexedVector<NodeIndex, FlavorIndex>& flavor_of;
  };
  // `as_of` changes when the machines do. Does nothing if machines and levels are unchanged.
  void renew(const Machines& machines, std::uint64_t as_of);
  // One node changed; null: it is gone. Or the levels of a cluster changed, which affects all its nodes.
  using Clusters = std::map<std::string, Cluster>;
  void follow(const Clusters& clusters, NodeIndex node, const Node* row);
  void follow(const Clusters& clusters, const std::string& cluster,
              const IndexedVector<NodeIndex, std::optional<Node>>& rows);

  // As of the last renewal, by names of the cluster and of the domain. Nodes without the label are in no pool.
  IndexedSpan<PoolIndex, Pool> pools(LevelIndex level, FlavorIndex flavor) const;
  // The labels that give the node's domain of the level, whether the node exists or not; nothing: it is in none.
  std::optional<std::vector<std::string>> path(const Node& node, LevelIndex level) const;
  // The node's domain among all domains of the level; kNone: it is in none.
  DomainIndex domain(LevelIndex level, NodeIndex node) const { return domains_[level][node]; }
  // The next outer level; kNone: the cluster.
  LevelIndex outside(LevelIndex level) const { return outside_[level]; }
  // The nodes in the levels of their clusters, whether jobs ask for these or not; as of the last renewal.
  const DomainTree& tree() const { return tree_; }

 private:
  static constexpr char kOneType = '\n';  // no label contains it

  void find_domains(const Machines& machines, LevelIndex level);
  void find_labels(const Machines& machines, LevelIndex level);
  void find_outside(const Machines& machines, LevelIndex level);

  Names<LevelIndex> names_;
  DomainTree tree_;
  std::uint64_t as_of_ = 0;
  IndexedVector<LevelIndex, IndexedVector<FlavorIndex, IndexedVector<PoolIndex, Pool>>> pools_;
  // The domain of each node. Domains are numbered in the order of their names.
  IndexedVector<LevelIndex, IndexedVector<NodeIndex, DomainIndex>> domains_;
  IndexedVector<LevelIndex, LevelIndex> outside_;
  // By level and cluster: the labels that must be equal, the outermost first.
  IndexedVector<LevelIndex, std::map<std::string, std::vector<std::string>>> labels_;
};

}  // namespace ym::engine
