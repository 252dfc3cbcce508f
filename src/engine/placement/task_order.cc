#include "engine/placement/task_order.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>

namespace ym::engine {
namespace {

// Sorts by `key_of` of each position. Nodes with equal keys keep their order.
template <class KeyOf>
void sort_by(std::span<NodeIndex> nodes, KeyOf key_of) {
  using Key = decltype(key_of(std::size_t{}));
  std::vector<std::tuple<Key, std::size_t, NodeIndex>> keys;
  keys.reserve(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) keys.emplace_back(key_of(i), i, nodes[i]);
  std::ranges::sort(keys);
  std::ranges::transform(keys, nodes.begin(), [](const auto& key) { return std::get<2>(key); });
}

// How a part begins. kNone: anywhere.
struct Begin {
  NodeIndex beside = kNone;  // the node of the task before it
  NodeIndex first = kNone;   // the part's own first node
};

// Domains with more levels in common with the node of the task before come first.
void sort_by_domain(const DomainTree& tree, const Begin& begin, std::span<NodeIndex> nodes) {
  const NodeIndex beside = begin.first == kNone ? begin.beside : begin.first;
  sort_by(nodes, [&](std::size_t place) {
    const NodeIndex node = nodes[place];
    const std::int64_t shared = beside == kNone ? 0 : tree.shared(beside, node);
    return std::tuple(node != begin.first, -shared, tree.rank(node));
  });
}

// Groups the nodes by domain of the level: the domain of the node before them first, then in the order of their first
// nodes. A node without a domain stands alone.
void gather(const Topology& topology, LevelIndex level, NodeIndex before, std::span<NodeIndex> nodes) {
  std::map<DomainIndex, std::size_t> begun;
  if (before != kNone) begun.emplace(topology.domain(level, before), 0);
  sort_by(nodes, [&](std::size_t place) {
    const DomainIndex domain = topology.domain(level, nodes[place]);
    return domain == kNone ? place + 1 : begun.try_emplace(domain, place + 1).first->second;
  });
}

// The number of nodes of each part; the last part may have another number than it needs.
std::vector<std::size_t> sizes_of(const Flavors& flavors, const GangNeed& need, std::size_t all) {
  if (!flavors.is_mix()) return {all};
  std::vector<std::size_t> sizes;
  for (const GangPart& part : need.parts) {
    sizes.push_back(std::min(part.nodes, all));
    all -= sizes.back();
  }
  sizes.back() += all;
  return sizes;
}

}  // namespace

void order_by_task(const Topology& topology, const Flavors& flavors, const GangNeed& need,
                   std::vector<NodeIndex>& nodes, std::span<const NodeIndex> had) {
  if (nodes.size() < 2) return;
  const LevelIndex named = need.levels.slice != kNone ? need.levels.slice : need.levels.preferred;
  Begin begin;
  std::size_t done = 0;
  for (const std::size_t size : sizes_of(flavors, need, nodes.size())) {
    const auto part = std::span(nodes).subspan(done, size);
    const auto kept = std::ranges::find_first_of(had, part);
    begin.first = done == 0 && kept != had.end() ? *kept : kNone;
    sort_by_domain(topology.tree(), begin, part);
    if (named != kNone) gather(topology, named, begin.beside, part);
    if (!part.empty()) begin.beside = part.back();
    done += size;
  }
}

}  // namespace ym::engine
