// DomainTree: the domains of the clusters' levels, one inside the other, and where each node stands among them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/state/names.h"

namespace ym::engine {

// Follows the machines node by node. What it says is of nodes of one cluster.
class DomainTree {
 public:
  // The node is in these domains from now on, each inside the one before; in none: it is gone, or lacks the label.
  void set(NodeIndex node, const std::vector<std::string>& path);
  // To be called after nodes were set, before the two below are asked.
  void renew();

  // By the names of the domains, the outermost first; who is in none of a level is behind those who are in one. So the
  // ranks of the nodes of a domain follow each other.
  std::uint32_t rank(NodeIndex node) const;
  // How many levels there are of which both are in the same domain.
  std::uint32_t shared(NodeIndex a, NodeIndex b) const;

 private:
  using TreeIndex = StrongIndex<struct TreeTag>;               // of a domain
  using Domain = std::pair<TreeIndex, std::string>;            // in which other one it is, or kNone; its name
  using Inside = std::map<TreeIndex, std::vector<TreeIndex>>;  // by domain: those that it has, by name

  TreeIndex enter(TreeIndex outer, const std::string& name);
  void leave(TreeIndex domain);
  void number(const Inside& inside, TreeIndex outer, std::uint32_t depth, std::uint32_t& next);
  TreeIndex innermost(NodeIndex node) const { return innermost_.has(node) ? innermost_[node] : TreeIndex{}; }
  std::uint32_t depth(TreeIndex domain) const { return domain == kNone ? 0 : depth_[domain]; }

  Shared<Domain, TreeIndex> domains_;  // used by the nodes that are in no further one, and once by each domain inside
  IndexedVector<NodeIndex, TreeIndex> innermost_;
  IndexedVector<TreeIndex, std::uint32_t> rank_, depth_;  // by domain; the outermost have depth 1
  bool stale_ = false;                                    // there are other domains than when these were counted
};

}  // namespace ym::engine
