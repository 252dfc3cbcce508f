#include "reference/places.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "reference/parts.h"
#include "reference/slices.h"
#include "reference/task_order.h"

namespace ym::reference {
namespace {

Start start_on(const Machines& machines, const Job& job, const std::string& flavor, const std::string& cluster,
               const std::vector<const Node*>& nodes) {
  Start start{.job = job.id, .cluster = cluster, .flavor = flavor, .placement = {}};
  for (const Node* node : nodes) {
    const auto task = static_cast<std::int32_t>(start.placement.size());
    const Part part = part_with(job, flavor, std::ssize(nodes), task);
    start.placement.push_back({.task = task, .node = node->name, .devices = machines.pick(part.job, *node)});
  }
  return start;
}

using Nodes = std::vector<const Node*>;
using Domain = std::vector<std::string>;

class Places {
 public:
  Places(const Tables& tables, const Machines& machines, const Job& job, std::string flavor, Machines::Test test)
      : t_(tables), machines_(machines), job_(job), flavor_(std::move(flavor)), test_(std::move(test)) {
    for (const auto& [name, node] : tables.nodes)
      if (machines.suits_a_part(job, flavor_, node, test_)) free_.push_back(&node);
    // A preferred level has no effect on a single node. An elastic job prefers its level at every size.
    if (tables.jobs.at(job.id).spec->nodes > 1) {
      preferred_ = job.spec->placement->preferred_level;
      required_ = job.spec->placement->required_level;
    }
  }

  std::optional<Start> best() const {
    for (std::string level = preferred_; !level.empty() && level != required_; level = outside(level))
      if (auto start = best_at(level)) return start;
    return best_at(required_);
  }

 private:
  // The first cluster by name that has the level decides.
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
      if (!machines_.is_enough(job_, flavor_, nodes, test_)) continue;
      const bool spread = !preferred_.empty() && preferred_ != level && !job_.spec->placement->slice;
      const auto [chosen, cost, room] = choose(nodes, spread);
      const auto together = machines_.group(job_, *chosen.front());
      if (!together ||
          std::ranges::any_of(chosen, [&](const Node* node) { return machines_.group(job_, *node) != together; }))
        continue;
      const std::tuple rating(cost.at(0), level.empty() ? 0 : room, cost);
      if (best && least <= rating) continue;
      least = rating;
      best = start_on(machines_, job_, flavor_, group.front(), chosen);
    }
    return best;
  }

  struct Chosen {
    Nodes nodes;  // by task
    Machines::Cost cost{};
    std::size_t room = 0;
  };

  // Parts that share a flavor choose together. A part with its own flavor chooses alone.
  Chosen choose(const Nodes& nodes, bool spread) const {
    Chosen all;
    const auto parts = parts_of(job_, flavor_);
    std::map<std::string, Nodes> by_part;  // by place among the parts
    const auto place_of = [&](const Part& part) {
      std::size_t place = 0;
      while (parts[place].job.spec != part.job.spec) ++place;
      return std::string(1, static_cast<char>('0' + place));
    };
    auto part_searches = machines_.part_searches(job_, flavor_, nodes, test_);
    const auto sharing = by_flavor(parts);
    for (std::size_t i = 0; i < sharing.size(); ++i) {
      if (sharing[i].size() == 1) {
        all.room += in_slices(machines_, sharing[i].front().job, part_searches[i].front().nodes).size();
        const Part& part = sharing[i].front();
        const auto wanted = static_cast<std::size_t>(part.job.spec->nodes);
        const Nodes& own = part_searches[i].front().nodes;
        by_part[place_of(part)] = spread ? from_few(part.job, own, wanted) : cheapest_slices(part.job, own, wanted);
        continue;
      }
      std::set<const Node*> here;
      for (const PartSearch& one : part_searches[i]) here.insert(one.nodes.begin(), one.nodes.end());
      all.room += here.size();
      for (std::size_t part = 0; part < sharing[i].size(); ++part) {
        Nodes& own = part_searches[i][part].nodes;
        own = cheapest(sharing[i][part].job, own, own.size());
      }
      const auto found = choose_together(part_searches[i]);
      for (std::size_t part = 0; part < sharing[i].size(); ++part) by_part[place_of(sharing[i][part])] = found[part];
    }
    for (std::size_t part = 0; part < parts.size(); ++part) {
      const Nodes& own = by_part.at(std::string(1, static_cast<char>('0' + part)));
      for (const Node* node : by_task(t_, machines_, job_, own, all.nodes.empty() ? nullptr : all.nodes.back())) {
        all.nodes.push_back(node);
        const auto cost = machines_.cost(parts[part].job, *node);
        for (std::size_t i = 0; i < cost.size(); ++i) all.cost.at(i) += cost.at(i);
      }
    }
    return all;
  }

  Nodes cheapest_slices(const Job& part, const Nodes& nodes, std::size_t wanted) const {
    Nodes chosen = in_slices(machines_, part, cheapest(part, nodes, nodes.size()));
    chosen.resize(wanted);
    return chosen;
  }

  Nodes cheapest(const Job& part, Nodes nodes, std::size_t count) const {
    std::ranges::sort(nodes, {}, [&](const Node* node) { return std::pair(machines_.cost(part, *node), node->name); });
    nodes.resize(std::min(count, nodes.size()));
    return nodes;
  }

  // One domain for all remaining tasks, as small as possible. If none has room, the largest domain, and then the next.
  Nodes from_few(const Job& part, const Nodes& nodes, std::size_t wanted) const {
    std::map<Domain, Nodes> labelled;
    Nodes others;
    for (const Node* node : nodes)
      if (const auto domain = machines_.domain(job_, *node, preferred_)) labelled[*domain].push_back(node);
      else others.push_back(node);
    std::vector<Nodes> domains;
    for (const auto& [domain, own] : labelled) domains.push_back(own);
    for (const Node* node : cheapest(part, others, others.size())) domains.push_back({node});
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
      for (const Node* node : cheapest(part, domains[next], left)) chosen.push_back(node);
      domains.erase(domains.begin() + static_cast<std::ptrdiff_t>(next));
    }
    return chosen;
  }

  const Tables& t_;
  const Machines& machines_;
  const Job& job_;
  std::string flavor_;
  Machines::Test test_;  // of a part: it has room there
  Nodes free_;
  std::string preferred_, required_;
};

}  // namespace

std::optional<Start> best_place(const Tables& tables, const Machines& machines, const Keepers& keepers,
                                const Reservations& reservations, const Job& job, const std::string& flavor) {
  const Machines::Test has_room = [&](const Job& part, const Node& node) {
    return machines.in_service(node) && machines.has_room(part, node) && !keepers.keep_node(part, node) &&
           !reservations.in_the_way(part, node);
  };
  return Places(tables, machines, job, flavor, has_room).best();
}

}  // namespace ym::reference
