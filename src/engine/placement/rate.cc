#include "engine/placement/rate.h"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "engine/placement/together.h"
#include "engine/state/nodes/slices.h"

namespace ym::engine {
namespace {

// A node with room. No two are equal.
struct RatedNode {
  NodeCost cost;
  PlaceInPool place = kNone;
  auto operator<=>(const RatedNode&) const = default;
};

enum class Wanted : std::uint8_t { enough, all };

// Calls `each` with the places of the pool's nodes that may have room.
template <class Each>
void for_each_to_look_at(const Search& search, const Pool& pool, Each each) {
  const bool vacant = search.when == When::now && search.need.task.devices > 0;
  if (const auto few = vacant ? search.access.vacancies(search.inventory, pool) : std::nullopt) {
    for (const PlaceInPool place : *few) each(place);
  } else {
    for (const PlaceInPool place : pool.nodes.indices()) each(place);
  }
}

// The nodes of the pool with room. For a single node the best one is enough.
std::vector<RatedNode> candidates_of(const Search& search, const Pool& pool, Wanted wanted = Wanted::enough) {
  std::vector<RatedNode> found;
  if (pool.nodes.size() < search.need.nodes || !search.inventory.cluster_available(pool.cluster)) return found;
  const bool all = wanted == Wanted::all || search.need.nodes > 1 || search.need.levels != Levels{};
  constexpr std::size_t kAtOnce = 64;
  if (all) found.reserve(std::min(pool.nodes.size(), kAtOnce));
  // The most selective check comes first: on all nodes of a large site the other checks would cost more.
  const std::uint64_t* const free = search.inventory.free_devices(search.when).raw().data();
  for_each_to_look_at(search, pool, [&](PlaceInPool place) {
    const NodeIndex node = pool.nodes[place];
    if (std::popcount(free[node.value]) < search.need.task.devices || !search.has_room(node)) return;
    const RatedNode candidate{.cost = search.scorer.cost(search.inventory, search.need.task, node, search.when),
                              .place = place};
    if (all || found.empty()) found.push_back(candidate);
    else found.front() = std::min(found.front(), candidate);
  });
  return found;
}

void keep_best(std::vector<RatedNode>& found, std::size_t count) {
  if (found.size() <= count) return;
  std::ranges::nth_element(found, found.begin() + static_cast<std::ptrdiff_t>(count));
  found.resize(count);
}

// The next domain: the one with the fewest candidates that holds all that is wanted, or else the one with most. Of
// equals the first.
std::vector<std::vector<RatedNode>>::iterator next_domain(std::vector<std::vector<RatedNode>>& domains,
                                                          std::size_t wanted) {
  return std::ranges::min_element(domains, {}, [&](const std::vector<RatedNode>& one) {
    const bool holds = one.size() >= wanted;
    return std::pair(!holds, holds ? one.size() : ~one.size());
  });
}

// Uses as few domains of the level as possible. Precondition: there are enough candidates.
std::vector<RatedNode> from_few_domains(const Search& search, const Pool& pool, const std::vector<RatedNode>& found) {
  std::map<DomainIndex, std::vector<RatedNode>> by_domain;
  std::vector<std::vector<RatedNode>> domains, alone;
  for (const RatedNode& one : found) {
    const DomainIndex domain = search.inventory.topology.domain(search.need.levels.preferred, pool.nodes[one.place]);
    if (domain == kNone) alone.push_back({one});
    else by_domain[domain].push_back(one);
  }
  for (auto& [domain, own] : by_domain) domains.push_back(std::move(own));
  // Each node without the label is a domain of its own, after all others.
  std::ranges::sort(alone);
  domains.insert(domains.end(), alone.begin(), alone.end());
  std::vector<RatedNode> taken;
  while (taken.size() < search.need.nodes) {
    const std::size_t wanted = search.need.nodes - taken.size();
    const auto next = next_domain(domains, wanted);
    keep_best(*next, wanted);
    taken.insert(taken.end(), next->begin(), next->end());
    domains.erase(next);
  }
  return taken;
}

std::vector<NodeIndex> nodes_of(const Pool& pool, const std::vector<RatedNode>& found) {
  std::vector<NodeIndex> nodes;
  for (const RatedNode& one : found) nodes.push_back(pool.nodes[one.place]);
  return nodes;
}

// Candidates in whole slices. Precondition: there are enough.
std::vector<RatedNode> in_slices(const Search& search, const Pool& pool, std::vector<RatedNode> found) {
  std::ranges::sort(found);
  const auto slices = first_slices(search.inventory.topology, search.need.levels, found, search.need.nodes,
                                   [&](const RatedNode& one) { return pool.nodes[one.place]; });
  std::vector<RatedNode> taken;
  for (const auto& slice : slices) taken.insert(taken.end(), slice.begin(), slice.end());
  return taken;
}

// As many as the gang needs, by name. Precondition: there are enough.
std::vector<RatedNode> pick(const Search& search, const Pool& pool, LevelIndex level, std::vector<RatedNode> found) {
  const Levels& levels = search.need.levels;
  if (levels.slice != kNone) found = in_slices(search, pool, std::move(found));
  else if (levels.preferred != kNone && levels.preferred != level) found = from_few_domains(search, pool, found);
  else keep_best(found, search.need.nodes);
  std::ranges::sort(found, {}, &RatedNode::place);
  return found;
}

// Whether the number of a pool's nodes with room matters.
bool counts_room(const Search& search, LevelIndex level) {
  return level != kNone && !search.inventory.topology.is_whole_cluster(level);
}

}  // namespace

std::optional<Rated> rate(const Search& search, const Pool& pool, LevelIndex level) {
  auto found = candidates_of(search, pool);
  if (found.size() < search.need.nodes) return std::nullopt;
  const Topology& topology = search.inventory.topology;
  const bool in_slices = search.need.levels.slice != kNone;
  const std::size_t room = in_slices ? usable(topology, search.need.levels, nodes_of(pool, found)) : found.size();
  if (room < search.need.nodes) return std::nullopt;
  Rated rated{.rating = {.room = counts_room(search, level) ? room : 0}, .nodes = {}};
  found = pick(search, pool, level, std::move(found));
  for (const RatedNode& candidate : found) rated.rating.cost += candidate.cost;
  rated.rating.wasted = rated.rating.cost.wasted;
  rated.nodes = nodes_of(pool, found);
  return rated;
}

namespace {

// For parts of one flavor, in one of its pools: part by part the cheapest of the nodes that leave enough to the other
// parts, in the order of `parts`. Nothing: there are not enough.
std::optional<Rated> rate_together(const Search& search, const Pool& pool,
                                   const IndexedVector<PartBit, PartIndex>& parts, LevelIndex level) {
  IndexedVector<PartBit, std::vector<RatedNode>> found;
  IndexedVector<PartBit, std::size_t> wanted;
  IndexedVector<PlaceInPool, PartMask> could(pool.nodes.size());
  for (const PartIndex part : parts) {
    const GangNeed need = search.need.of_part(part);
    const PartBit bit = wanted.push_back(need.nodes);
    found.push_back(candidates_of(search.with(need), pool, Wanted::all));
    for (const RatedNode& one : found[bit]) could[one.place] |= mask_of(bit);
  }
  Together together(wanted);
  std::size_t room = 0;
  for (const PartMask mask : could) {
    if (mask != 0) together.add(mask);
    room += mask != 0;
  }
  if (!together.is_enough()) return std::nullopt;
  Rated rated{.rating = {.room = counts_room(search, level) ? room : 0}, .nodes = {}};
  for (const PartBit part : found.indices()) {
    std::ranges::sort(found[part]);
    std::vector<RatedNode> taken;
    for (const RatedNode& one : found[part]) {
      if (taken.size() == wanted[part]) break;
      if (could[one.place] == 0 || !together.take(part, could[one.place])) continue;
      could[one.place] = 0;
      rated.rating.cost += one.cost;
      taken.push_back(one);
    }
    std::ranges::sort(taken, {}, &RatedNode::place);
    for (const NodeIndex node : nodes_of(pool, taken)) rated.nodes.push_back(node);
  }
  rated.rating.wasted = rated.rating.cost.wasted;
  return rated;
}

}  // namespace

std::optional<Rated> rate_parts(const Search& search, const Pool& pool, const Flavors& flavors, LevelIndex level) {
  Rated all;
  IndexedVector<PartIndex, std::vector<NodeIndex>> nodes(search.need.parts.size());
  for (const FlavorIndex flavor : flavors.each()) {
    IndexedVector<PartBit, PartIndex> own;
    for (const PartIndex part : indices<PartIndex>(flavors.parts()))
      if (flavors.of(part) == flavor && search.need.parts[part].nodes > 0) own.push_back(part);
    if (own.empty()) continue;
    const Pool* here = flavor == flavors.first() ? &pool : search.inventory.pool_beside(pool, flavor, level);
    if (!here) return std::nullopt;
    auto rated = own.size() == 1 ? rate(search.with(search.need.of_part(own[PartBit{0}])), *here, level)
                                 : rate_together(search, *here, own, level);
    if (!rated) return std::nullopt;
    all.rating += rated->rating;
    auto next = rated->nodes.begin();
    for (const PartIndex part : own) {
      const auto end = next + static_cast<std::ptrdiff_t>(search.need.parts[part].nodes);
      nodes[part].assign(next, end);
      next = end;
    }
  }
  for (const auto& part : nodes) all.nodes.insert(all.nodes.end(), part.begin(), part.end());
  return all;
}

}  // namespace ym::engine
