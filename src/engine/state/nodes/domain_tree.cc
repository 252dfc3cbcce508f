#include "engine/state/nodes/domain_tree.h"

#include <algorithm>
#include <limits>

namespace ym::engine {

// The node enters its new domains before it leaves the old ones: so shared ones do not count as new.
void DomainTree::set(NodeIndex node, const std::vector<std::string>& path) {
  TreeIndex now = kNone;
  for (const std::string& name : path) now = enter(now, name);
  if (!innermost_.has(node) && now == kNone) return;
  innermost_.grow_to(node);
  leave(std::exchange(innermost_[node], now));
}

// Enters a domain of `outer`, which was entered before.
DomainTree::TreeIndex DomainTree::enter(TreeIndex outer, const std::string& name) {
  const auto [domain, fresh] = domains_.acquire({outer, name});
  if (fresh) stale_ = true;
  else if (outer != kNone) domains_.release(outer);
  return domain;
}

void DomainTree::leave(TreeIndex domain) {
  while (domain != kNone) {
    const TreeIndex outer = domains_[domain].first;
    if (!domains_.release(domain)) return;
    stale_ = true;
    domain = outer;
  }
}

void DomainTree::renew() {
  if (!stale_) return;
  stale_ = false;
  Inside inside;
  for (const TreeIndex domain : indices<TreeIndex>(domains_.size()))
    if (domains_.in_use(domain)) inside[domains_[domain].first].push_back(domain);
  for (auto& [outer, own] : inside)
    std::ranges::sort(own, {}, [&](TreeIndex domain) -> const std::string& { return domains_[domain].second; });
  rank_.assign(domains_.size(), 0);
  depth_.assign(domains_.size(), 0);
  std::uint32_t next = 0;
  number(inside, kNone, 1, next);
}

// A domain gets its number after all domains inside it.
void DomainTree::number(const Inside& inside, TreeIndex outer, std::uint32_t depth, std::uint32_t& next) {
  const auto own = inside.find(outer);
  if (own == inside.end()) return;
  for (const TreeIndex domain : own->second) {
    number(inside, domain, depth + 1, next);
    rank_[domain] = next++;
    depth_[domain] = depth;
  }
}

std::uint32_t DomainTree::rank(NodeIndex node) const {
  const TreeIndex domain = innermost(node);
  return domain == kNone ? std::numeric_limits<std::uint32_t>::max() : rank_[domain];
}

std::uint32_t DomainTree::shared(NodeIndex a, NodeIndex b) const {
  TreeIndex one = innermost(a), other = innermost(b);
  while (one != other) {
    TreeIndex& deeper = depth(one) < depth(other) ? other : one;
    deeper = domains_[deeper].first;
  }
  return depth(one);
}

}  // namespace ym::engine
