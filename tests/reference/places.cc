#include "reference/places.h"

#include <algorithm>
#include <tuple>

#include "reference/parts.h"
#include "reference/slices.h"

namespace ym::reference {
namespace {

Start start_on(const Machines& machines, const Job& job, const std::string& flavor, const std::string& cluster,
               std::vector<const Node*> nodes) {
  Start start{.job = job.id, .cluster = cluster, .flavor = flavor, .placement = {}};
  for (const Node* node : nodes)
    start.placement.push_back({.task = static_cast<std::int32_t>(start.placement.size()),
                               .node = node->name,
                               .devices = machines.pick(job, *node)});
  return start;
}

using Nodes = std::vector<const Node*>;
using Domain = std::vector<std::string>;

class Places {
 public:
  Places(const Tables& tables, const Machines& machines, const Job& job, std::string flavor, Nodes free)
      : t_(tables), machines_(machines), job_(job), flavor_(std::move(flavor)), free_(std::move(free)) {
    // What one node prefers is nothing; an elastic job prefers what it does at every size.
    if (tables.jobs.at(job.id).spec->nodes > 1) {
      preferred_ = job.spec->placement.preferred_level;
      required_ = job.spec->placement.required_level;
    }
  }

  std::optional<Start> best() const {
    for (std::string level = preferred_; !level.empty() && level != required_; level = outside(level))
      if (auto start = best_at(level)) return start;
    return best_at(required_);
  }

 private:
  // By name, the first cluster that has the level says it.
  std::string outside(const std::string& level) const {
    for (const auto& [name, cluster] : t_.clusters) {
      const auto own = std::ranges::find(cluster.topology, level);
      if (own == cluster.topology.end()) continue;
      return own == cluster.topology.begin() ? "" : *std::prev(own);
    }
    return "";
  }

  std::optional<Start> best_at(const std::string& level) const {
    std::map<Domain, Nodes> groups;
    for (const Node* node : free_) {
      const auto group = level.empty() ? machines_.group(job_, *node) : machines_.domain(job_, *node, level);
      if (group) groups[*group].push_back(node);
    }
    std::optional<Start> best;
    std::tuple<std::int64_t, std::size_t, Machines::Cost> least;
    for (const auto& [group, nodes] : groups) {
      if (!machines_.is_enough(job_, flavor_, nodes)) continue;
      const bool spread = !preferred_.empty() && preferred_ != level && !job_.spec->placement.slice;
      Nodes chosen;
      std::size_t room = 0;
      for (const auto& [flavor, part] : parts_of(job_, flavor_)) {
        Nodes own;
        for (const Node* node : nodes)
          if (machines_.rules_allow(job_, *node, flavor)) own.push_back(node);
        room += in_slices(machines_, job_, own).size();
        const auto wanted = static_cast<std::size_t>(part.spec->nodes);
        const Nodes tasks = by_task(spread ? from_few(own, wanted) : cheapest_slices(own, wanted));
        chosen.insert(chosen.begin(), tasks.begin(), tasks.end());
      }
      const auto together = machines_.group(job_, *chosen.front());
      if (!together ||
          std::ranges::any_of(chosen, [&](const Node* node) { return machines_.group(job_, *node) != together; }))
        continue;
      Machines::Cost total{};
      for (const Node* node : chosen)
        for (std::size_t i = 0; i < total.size(); ++i) total.at(i) += machines_.cost(job_, *node).at(i);
      const std::tuple rating(total.at(0), level.empty() ? 0 : room, total);
      if (best && least <= rating) continue;
      least = rating;
      best = start_on(machines_, job_, flavor_, group.front(), chosen);
    }
    return best;
  }

  Nodes cheapest_slices(const Nodes& nodes, std::size_t wanted) const {
    Nodes chosen = in_slices(machines_, job_, cheapest(nodes, nodes.size()));
    chosen.resize(wanted);
    return chosen;
  }

  // By name; slices by their first.
  Nodes by_task(Nodes chosen) const {
    const auto size = job_.spec->placement.slice && machines_.is_gang(job_)
                          ? static_cast<std::size_t>(job_.spec->placement.slice->nodes)
                          : chosen.size();
    std::map<std::string, Nodes> slices;
    for (std::size_t first = 0; first < chosen.size(); first += size) {
      Nodes slice(chosen.begin() + static_cast<std::ptrdiff_t>(first),
                  chosen.begin() + static_cast<std::ptrdiff_t>(first + size));
      std::ranges::sort(slice, {}, &Node::name);
      slices[slice.front()->name] = slice;
    }
    Nodes ordered;
    for (const auto& [name, slice] : slices) ordered.insert(ordered.end(), slice.begin(), slice.end());
    return ordered;
  }

  Nodes cheapest(Nodes nodes, std::size_t count) const {
    std::ranges::sort(nodes, {}, [&](const Node* node) { return std::pair(machines_.cost(job_, *node), node->name); });
    nodes.resize(std::min(count, nodes.size()));
    return nodes;
  }

  // One domain for all that is left, as small as may be; else the largest, and go on.
  Nodes from_few(const Nodes& nodes, std::size_t wanted) const {
    std::map<Domain, Nodes> labelled;
    Nodes others;
    for (const Node* node : nodes)
      if (const auto domain = machines_.domain(job_, *node, preferred_)) labelled[*domain].push_back(node);
      else others.push_back(node);
    std::vector<Nodes> domains;
    for (const auto& [domain, own] : labelled) domains.push_back(own);
    for (const Node* node : cheapest(others, others.size())) domains.push_back({node});
    Nodes chosen;
    while (chosen.size() < wanted) {
      const std::size_t left = wanted - chosen.size();
      std::size_t next = 0;
      for (std::size_t i = 1; i < domains.size(); ++i) {
        const bool holds = domains[i].size() >= left, best_holds = domains[next].size() >= left;
        const bool better = holds != best_holds ? holds
                            : holds             ? domains[i].size() < domains[next].size()
                                                : domains[i].size() > domains[next].size();
        if (better) next = i;
      }
      for (const Node* node : cheapest(domains[next], left)) chosen.push_back(node);
      domains.erase(domains.begin() + static_cast<std::ptrdiff_t>(next));
    }
    return chosen;
  }

  const Tables& t_;
  const Machines& machines_;
  const Job& job_;
  std::string flavor_;
  Nodes free_;
  std::string preferred_, required_;
};

}  // namespace

std::optional<Start> best_place(const Tables& tables, const Machines& machines, const Keepers& keepers,
                                const Promises& promises, const Job& job, const std::string& flavor) {
  Nodes free;
  for (const auto& [name, node] : tables.nodes)
    if (machines.rules_allow(job, node, flavor) && machines.in_service(node) && machines.has_room(job, node) &&
        !keepers.keep_node(name) && !promises.in_the_way(job, node))
      free.push_back(&node);
  return Places(tables, machines, job, flavor, std::move(free)).best();
}

}  // namespace ym::reference
