#include "engine/cycle/stop/size.h"

#include <algorithm>
#include <map>
#include <utility>

#include "engine/placement/task_order.h"

namespace ym::engine {
namespace {

// Bars all nodes that jobs keep, that are in another cluster or domain, or that the gang already has.
Keepers barred_beside(const Inputs& in, const Tried& tried, const Shape& shape, FlavorIndex flavor,
                      const Choice& held) {
  Keepers barred = tried.kept_nodes.keepers();
  const auto bar = [&](const std::vector<NodeIndex>& nodes) {
    for (const NodeIndex node : nodes) barred[node] = Rank{0};
  };
  bar(held.nodes.nodes);
  const Inventory& inventory = in.state.inventory;
  const NodeIndex first = held.nodes.nodes.front();
  const LevelIndex level = shape.levels.required;
  const auto is_beside = [&](NodeIndex node) {
    return inventory.cluster[node] == inventory.cluster[first] &&
           (level == kNone || inventory.topology.domain(level, node) == inventory.topology.domain(level, first));
  };
  for (const Pool& pool : inventory.pools(flavor, shape.levels))
    if (!pool.nodes.empty() && !is_beside(pool.nodes[PlaceInPool{0}])) bar(pool.nodes.raw());
  return barred;
}

// Joins both. The anchor of `held` comes first, if it has one; `more` contains no anchor.
Choice joined(const Inputs& in, const Shape& shape, const Flavors& flavors, const Choice& held, const Choice& more) {
  const Inventory& inventory = in.state.inventory;
  std::map<NodeIndex, std::uint64_t> devices;  // no node has two tasks
  Choice all{.nodes = {.cluster = held.nodes.cluster, .nodes = {}}, .devices = {}};
  for (const Choice* part : {&held, &more})
    for (std::size_t i = 0; i < part->devices.size(); ++i) {
      all.nodes.nodes.push_back(part->nodes.nodes[i]);
      devices.emplace(part->nodes.nodes[i], part->devices[i]);
    }
  const std::ptrdiff_t anchor = flavors.is_mix() ? shape.anchor : 0;
  std::ranges::sort(all.nodes.nodes.begin() + anchor, all.nodes.nodes.end(), {},
                    [&](NodeIndex node) { return inventory.node_names[node]; });
  order_by_task(inventory.topology, flavors, shape.need(), all.nodes.nodes, held.nodes.nodes);
  for (const NodeIndex node : all.nodes.nodes) all.devices.push_back(devices.at(node));
  return all;
}

// For a job that already counts as one.
bool gpus_beyond_limit(const Inputs& in, const JobRow& job, std::int32_t more) {
  if (!in.policy.quota_phase) return false;
  const Shape& shape = in.state.shape_of(job);
  const auto hit =
      in.state.limits.hit(shape.queue, job.user, shape.sized(more).total()[ResourceKind::gpus], JobCount::counted);
  return hit.has_value();
}

// The place of a gang as a choice.
Choice choice_of(const Inventory& inventory, const Footprint& place) {
  Choice choice;
  for (const LiveTask& task : place.tasks) {
    choice.nodes.cluster = inventory.cluster[task.node];
    choice.nodes.nodes.push_back(task.node);
    choice.devices.push_back(task.bits);
  }
  return choice;
}

}  // namespace

std::optional<Choice> choose_larger(const Inputs& in, const Tried& tried, Slot slot, const Footprint& place,
                                    const Walltime& walltime) {
  const Flavors& flavors = place.flavors;
  const Choice held = choice_of(in.state.inventory, place);
  const JobRow& job = in.state.jobs[slot];
  // Of a mix, the part beside the anchor grows.
  const FlavorIndex flavor = flavors.last();
  const Shape shape = in.state.shape_of(job).part(flavors, flavors.last_part());
  const auto anchor = in.state.shape_of(job).most_nodes - shape.most_nodes;
  const auto size = static_cast<std::int32_t>(held.devices.size()) - anchor;
  const auto has_quota = [&](std::int32_t more) {
    return !tried.quota_stops(in, shape.sized(more), flavor, walltime) && !gpus_beyond_limit(in, job, more);
  };
  const Keepers barred = barred_beside(in, tried, shape, flavor, held);
  const Access access(barred, tried.reservations, walltime);
  std::optional<Choice> best;
  const auto fits = [&](std::int32_t more) {
    auto found = choose(in.state.inventory, in.scorer, flavor, shape.sized(more).need(), access);
    const bool fitting = found.has_value();
    if (fitting) best = std::move(found);
    return fitting;
  };
  const Sizes sizes{.least = shape.step(), .step = shape.step()};
  if (!has_quota(sizes.least)) return std::nullopt;
  const auto most = largest_passing(sizes, shape.most_nodes - size, has_quota);
  if (fits(sizes.least)) largest_passing(sizes, most, fits);
  if (!best) return std::nullopt;
  return joined(in, in.state.shape_of(job), flavors, held, *best);
}

std::optional<Choice> choose_largest(const Cycle& cycle, Rank rank, const Flavors& flavors, const Walltime& walltime) {
  const Shape& shape = cycle.shape(rank);
  const auto has_quota = [&](std::int32_t nodes) {
    return !cycle.tried.quota_stops(cycle.in, shape.sized(nodes), flavors, walltime) &&
           !limit_hit(cycle.in, cycle.pending, rank, nodes);
  };
  const Access access = cycle.tried.access(cycle.in, cycle.known, walltime);
  const auto place = [&](std::int32_t nodes) {
    return choose(cycle.in.state.inventory, cycle.in.scorer, flavors, shape.sized(nodes).need(), access);
  };
  auto best = place(shape.nodes);
  if (!best || shape.most_nodes == shape.nodes) return best;
  const Sizes sizes{.least = shape.nodes, .step = shape.step()};
  const auto most = largest_passing(sizes, shape.most_nodes, has_quota);
  largest_passing(sizes, most, [&](std::int32_t nodes) {
    auto larger = place(nodes);
    const bool fits = larger.has_value();
    if (fits) best = std::move(larger);
    return fits;
  });
  return best;
}

}  // namespace ym::engine
