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

  // For a part of the gang.
  Search with(const GangNeed& part) const {
    return {.inventory = inventory, .scorer = scorer, .need = part, .access = access, .when = when};
  }
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
bool are_where_required(const Inventory& inventory, const Levels& levels, const std::vector<Index>& nodes) {
  if (levels.required == kNone) return true;
  const auto domain = [&](Index node) { return inventory.topology.domain(levels.required, node); };
  const Index first = domain(nodes.front());
  return first != kNone && std::ranges::all_of(nodes, [&](Index node) { return domain(node) == first; });
}

// What pools are compared by, before their names.
struct Rating {
  std::int64_t wasted = 0;
  std::size_t room = 0;  // of a domain: its candidates
  NodeCost cost;
  auto operator<=>(const Rating&) const = default;

  Rating& operator+=(const Rating& other) {
    wasted += other.wasted;
    room += other.room;
    cost += other.cost;
    return *this;
  }
};

struct Rated {
  Rating rating;
  std::vector<Index> nodes;
};

// Nothing: the pool has too few. Levels that are required are not looked at.
std::optional<Rated> rate(const Search& search, const Pool& pool, Index level) {
  auto found = candidates_of(search, pool);
  if (found.size() < search.need.nodes) return std::nullopt;
  const Topology& topology = search.inventory.topology;
  const bool in_slices = search.need.levels.slice != kNone;
  const std::size_t room = in_slices ? usable(topology, search.need.levels, nodes_of(pool, found)) : found.size();
  if (room < search.need.nodes) return std::nullopt;
  const bool by_room = level != kNone && !topology.is_whole_cluster(level);
  Rated rated{.rating = {.room = by_room ? room : 0}, .nodes = {}};
  found = pick(search, pool, level, std::move(found));
  for (const Candidate& candidate : found) rated.rating.cost += candidate.cost;
  rated.rating.wasted = rated.rating.cost.wasted;
  rated.nodes = nodes_of(pool, found);
  return rated;
}

// Keeps the best of what is offered, of equals the first.
class Best {
 public:
  explicit Best(const Search& search) : search_(search) {}

  void offer(Rated rated, Index cluster) {
    if (!are_where_required(search_.inventory, search_.need.levels, rated.nodes)) return;
    if (best_ && least_ <= rated.rating) return;
    least_ = rated.rating;
    best_ = Nodes{.cluster = cluster, .nodes = std::move(rated.nodes)};
  }
  std::optional<Nodes> take() { return std::move(best_); }

 private:
  const Search& search_;
  Rating least_;
  std::optional<Nodes> best_;
};

std::optional<Nodes> best_of(const Search& search, Index flavor, Index level) {
  Best best(search);
  for (const Pool& pool : search.inventory.pools(flavor, level))
    if (auto rated = rate(search, pool, level)) best.offer(std::move(*rated), pool.cluster);
  return best.take();
}

// The anchor in a pool of its flavor, and the others in the one of theirs that is at the same place.
std::optional<Nodes> best_of(const Search& search, const Flavors& flavors, Index level) {
  if (!flavors.is_mix()) return best_of(search, flavors.rest(), level);
  const GangNeed anchor = search.need.part(search.need.anchor);
  const GangNeed rest = search.need.part(search.need.nodes - search.need.anchor);
  Best best(search);
  for (const Pool& pool : search.inventory.pools(flavors.anchor(), level)) {
    auto rated = rate(search.with(anchor), pool, level);
    if (!rated) continue;
    if (rest.nodes > 0) {
      const Pool* beside = search.inventory.pool_beside(pool, flavors.rest(), level);
      const auto others = beside ? rate(search.with(rest), *beside, level) : std::nullopt;
      if (!others) continue;
      rated->rating += others->rating;
      rated->nodes.insert(rated->nodes.end(), others->nodes.begin(), others->nodes.end());
    }
    best.offer(std::move(*rated), pool.cluster);
  }
  return best.take();
}

}  // namespace

std::optional<Nodes> find_nodes(const Inventory& inventory, const Scorer& scorer, const Flavors& flavors,
                                const GangNeed& need, const Access& access, When when) {
  const Search search{.inventory = inventory, .scorer = scorer, .need = need, .access = access, .when = when};
  const Levels& levels = need.levels;
  for (Index level = levels.preferred; level != kNone && level != levels.required;
       level = inventory.topology.outside(level))
    if (auto found = best_of(search, flavors, level)) return found;
  return best_of(search, flavors, levels.required);
}

}  // namespace ym::engine
