// DomainTree: the nested domains of the clusters' levels, and the position of each node in them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/state/names.h"

namespace ym::engine {

// Follows the machines node by node. Answers are about nodes of one cluster.
class DomainTree {
 public:
  // Sets the domains of the node, the outermost first. Empty: the node is gone, or lacks the label.
  void set(NodeIndex node, const std::vector<std::string>& path);
  // Call this after nodes were set, before `rank` and `shared`.
  void renew();

  // Order by the names of the domains, the outermost first. A node without a domain of a level comes after the nodes
  // that have one. So the ranks of the nodes of a domain are consecutive.
  std::uint32_t rank(NodeIndex node) const;
  // Number of levels at which both nodes are in the same domain.
  std::uint32_t shared(NodeIndex a, NodeIndex b) const;

 private:
  using TreeIndex = StrongIndex<struct TreeTag>;               // of a domain
  using Domain = std::pair<TreeIndex, std::string>;            // the domain around it, or kNone; its name
  using Inside = std::map<TreeIndex, std::vector<TreeIndex>>;  // by domain: its inner domains, by name

  TreeIndex enter(TreeIndex outer, const std::string& name);
  void leave(TreeIndex domain);
  void number(const Inside& inside, TreeIndex outer, std::uint32_t depth, std::uint32_t& next);
  TreeIndex innermost(NodeIndex node) const { return innermost_.has(node) ? innermost_[node] : TreeIndex{}; }
  std::uint32_t depth(TreeIndex domain) const { return domain == kNone ? 0 : depth_[domain]; }

  // users of a domain: nodes without a further domain inside it, and each inner domain
  Shared<Domain, TreeIndex> domains_;
  IndexedVector<NodeIndex, TreeIndex> innermost_;
  IndexedVector<TreeIndex, std::uint32_t> rank_, depth_;  // by domain; the outermost have depth 1
  bool stale_ = false;                                    // domains changed since these were counted
};

}  // namespace ym::engine
