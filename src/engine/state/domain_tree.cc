#include "engine/state/domain_tree.h"

#include <algorithm>
#include <limits>

namespace ym::engine {

// Entered before it leaves: what it stays in is not new.
void DomainTree::set(Index node, const std::vector<std::string>& path) {
  Index now = kNone;
  for (const std::string& name : path) now = enter(now, name);
  if (node >= innermost_.size()) {
    if (now == kNone) return;
    innermost_.resize(std::size_t{node} + 1, kNone);
  }
  leave(std::exchange(innermost_[node], now));
}

// From the one outside of it, which was entered.
Index DomainTree::enter(Index outer, const std::string& name) {
  const auto [domain, fresh] = domains_.acquire({outer, name});
  if (fresh) stale_ = true;
  else if (outer != kNone) domains_.release(outer);
  return domain;
}

void DomainTree::leave(Index domain) {
  while (domain != kNone) {
    const Index outer = domains_[domain].first;
    if (!domains_.release(domain)) return;
    stale_ = true;
    domain = outer;
  }
}

void DomainTree::renew() {
  if (!stale_) return;
  stale_ = false;
  Inside inside;
  for (Index domain = 0; domain < domains_.size(); ++domain)
    if (domains_.in_use(domain)) inside[domains_[domain].first].push_back(domain);
  for (auto& [outer, own] : inside)
    std::ranges::sort(own, {}, [&](Index domain) -> const std::string& { return domains_[domain].second; });
  rank_.assign(domains_.size(), 0);
  depth_.assign(domains_.size(), 0);
  std::uint32_t next = 0;
  number(inside, kNone, 1, next);
}

// A domain is behind all that it has inside.
void DomainTree::number(const Inside& inside, Index outer, std::uint32_t depth, std::uint32_t& next) {
  const auto own = inside.find(outer);
  if (own == inside.end()) return;
  for (const Index domain : own->second) {
    number(inside, domain, depth + 1, next);
    rank_[domain] = next++;
    depth_[domain] = depth;
  }
}

std::uint32_t DomainTree::rank(Index node) const {
  const Index domain = innermost(node);
  return domain == kNone ? std::numeric_limits<std::uint32_t>::max() : rank_[domain];
}

std::uint32_t DomainTree::shared(Index a, Index b) const {
  Index one = innermost(a), other = innermost(b);
  while (one != other) {
    Index& deeper = depth(one) < depth(other) ? other : one;
    deeper = domains_[deeper].first;
  }
  return depth(one);
}

}  // namespace ym::engine
