#include "engine/placement/find_nodes.h"

#include <algorithm>
#include <compare>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>

#include "engine/state/slices.h"

namespace ym::engine {
namespace {

// A node that has room. No two are equal.
struct Candidate {
  NodeCost cost;
  std::size_t place = 0;  // in the pool, which is by name
  auto operator<=>(const Candidate&) const = default;
};

// How a gang is looked for.
struct Search {
  const Inventory& inventory;
  const Scorer& scorer;
  const GangNeed& need;
  const Access& access;
  When when;

  bool has_room(Index node) const {
    // What fails most often is asked first.
    if (need.task.devices > 0 && inventory.free_devices(node, when) == 0) return false;
    if (access.is_kept(node) || !inventory.up[node] || !inventory.matches(need.rule, node)) return false;
    return inventory.has_free(node, need.task, when) && access.allows(node, need.task);
  }
};

// Those of the pool that have room. For a single node the best of them is enough.
std::vector<Candidate> candidates_of(const Search& search, const Pool& pool) {
  std::vector<Candidate> found;
  if (pool.nodes.size() < search.need.nodes || !search.inventory.cluster_available(pool.cluster)) return found;
  const bool all = search.need.nodes > 1 || search.need.levels != Levels{};
  for (std::size_t i = 0; i < pool.nodes.size(); ++i) {
    const Index node = pool.nodes[i];
    if (!search.has_room(node)) continue;
    const Candidate candidate{.cost = search.scorer.cost(search.inventory, search.need.task, node, search.when),
                              .place = i};
    if (all || found.empty()) found.push_back(candidate);
    else found.front() = std::min(found.front(), candidate);
  }
  return found;
}

void keep_best(std::vector<Candidate>& found, std::size_t count) {
  if (found.size() <= count) return;
  std::ranges::nth_element(found, found.begin() + static_cast<std::ptrdiff_t>(count));
  found.resize(count);
}

// The domain to take next, of those left: the one with fewest candidates that holds all that is wanted, or
// else the one with most. Of equal ones the first.
std::vector<std::vector<Candidate>>::iterator next_domain(std::vector<std::vector<Candidate>>& domains,
                                                          std::size_t wanted) {
  return std::ranges::min_element(domains, {}, [&](const std::vector<Candidate>& one) {
    const bool holds = one.size() >= wanted;
    return std::pair(!holds, holds ? one.size() : ~one.size());
  });
}

// As few domains of the level as possible. Precondition: there are enough candidates.
std::vector<Candidate> from_few_domains(const Search& search, const Pool& pool, const std::vector<Candidate>& found) {
  std::map<Index, std::vector<Candidate>> by_domain;
  std::vector<std::vector<Candidate>> domains, alone;
  for (const Candidate& one : found) {
    const Index domain = search.inventory.topology.domain(search.need.levels.preferred, pool.nodes[one.place]);
    if (domain == kNone) alone.push_back({one});
    else by_domain[domain].push_back(one);
  }
  for (auto& [domain, own] : by_domain) domains.push_back(std::move(own));
  // Nodes without the label are a domain each, after all others.
  std::ranges::sort(alone);
  domains.insert(domains.end(), alone.begin(), alone.end());
  std::vector<Candidate> taken;
  while (taken.size() < search.need.nodes) {
    const std::size_t wanted = search.need.nodes - taken.size();
    const auto next = next_domain(domains, wanted);
    keep_best(*next, wanted);
    taken.insert(taken.end(), next->begin(), next->end());
    domains.erase(next);
  }
  return taken;
}

std::vector<Index> nodes_of(const Pool& pool, const std::vector<Candidate>& found) {
  std::vector<Index> nodes;
  for (const Candidate& one : found) nodes.push_back(pool.nodes[one.place]);
  return nodes;
}

// By name; of a gang in slices each of them, in the order of their first. Precondition: there are enough candidates.
std::vector<Candidate> in_slices(const Search& search, const Pool& pool, std::vector<Candidate> found) {
  std::ranges::sort(found);
  auto slices = first_slices(search.inventory.topology, search.need.levels, found, search.need.nodes,
                             [&](const Candidate& one) { return pool.nodes[one.place]; });
  for (auto& slice : slices) std::ranges::sort(slice, {}, &Candidate::place);
  std::ranges::sort(slices, {}, [](const auto& slice) { return slice.front().place; });
  std::vector<Candidate> taken;
  for (const auto& slice : slices) taken.insert(taken.end(), slice.begin(), slice.end());
  return taken;
}

// As many as the gang needs, task by task. Precondition: there are enough.
std::vector<Candidate> pick(const Search& search, const Pool& pool, Index level, std::vector<Candidate> found) {
  const Levels& levels = search.need.levels;
  if (levels.slice != kNone) return in_slices(search, pool, std::move(found));
  if (levels.preferred != kNone && levels.preferred != level) found = from_few_domains(search, pool, found);
  else keep_best(found, search.need.nodes);
  std::ranges::sort(found, {}, &Candidate::place);
  return found;
}

// A level that is preferred need not lie inside the one that is required.
bool are_where_required(const Search& search, const Pool& pool, const std::vector<Candidate>& found) {
  const Index required = search.need.levels.required;
  if (required == kNone) return true;
  const auto domain = [&](const Candidate& one) {
    return search.inventory.topology.domain(required, pool.nodes[one.place]);
  };
  const Index first = domain(found.front());
  return first != kNone && std::ranges::all_of(found, [&](const Candidate& one) { return domain(one) == first; });
}

// What pools are compared by, before their names.
struct Rating {
  std::int64_t wasted = 0;
  std::size_t room = 0;  // of a domain: its candidates
  NodeCost cost;
  auto operator<=>(const Rating&) const = default;
};

std::optional<Nodes> best_of(const Search& search, std::span<const Pool> pools, Index level) {
  const bool by_room = level != kNone && !search.inventory.topology.is_whole_cluster(level);
  std::optional<Nodes> best;
  Rating least;
  for (const Pool& pool : pools) {
    auto found = candidates_of(search, pool);
    if (found.size() < search.need.nodes) continue;
    const std::size_t room = search.need.levels.slice == kNone
                                 ? found.size()
                                 : usable(search.inventory.topology, search.need.levels, nodes_of(pool, found));
    if (room < search.need.nodes) continue;
    Rating rating{.room = by_room ? room : 0};
    found = pick(search, pool, level, std::move(found));
    if (!are_where_required(search, pool, found)) continue;
    for (const Candidate& candidate : found) rating.cost += candidate.cost;
    rating.wasted = rating.cost.wasted;
    if (best && least <= rating) continue;
    least = rating;
    best = Nodes{.cluster = pool.cluster, .nodes = nodes_of(pool, found)};
  }
  return best;
}

}  // namespace

std::optional<Nodes> find_nodes(const Inventory& inventory, const Scorer& scorer, Index flavor, const GangNeed& need,
                                const Access& access, When when) {
  const Search search{.inventory = inventory, .scorer = scorer, .need = need, .access = access, .when = when};
  const Levels& levels = need.levels;
  for (Index level = levels.preferred; level != kNone && level != levels.required;
       level = inventory.topology.outside(level))
    if (auto found = best_of(search, inventory.topology.pools(level, flavor), level)) return found;
  return best_of(search, inventory.pools(flavor, levels), levels.required);
}

}  // namespace ym::engine
