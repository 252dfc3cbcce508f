#include "engine/objections.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>
#include <span>

#include "engine/quota/demand.h"
#include "engine/reserve/advance_reservations.h"

namespace ym::engine {
namespace {

Objection queue_objects(const State::Impl& state, QueueIndex queue_index, const std::string& flavor_name) {
  const std::string& queue = state.queue_names[queue_index];
  if (state.quota.fault(queue_index) != QueueFault::none) return fmt::format("queue {} cannot run jobs", queue);
  if (const QueueIndex by = state.stops.held_by(queue_index); by != kNone)
    return fmt::format("queue {} is held", state.queue_names[by]);
  const auto& allowed = state.quota.flavors(queue_index);
  for (const FlavorIndex flavor : state.inventory.find_flavors(flavor_name).each())
    if (flavor == kNone || (allowed && std::ranges::find(*allowed, flavor) == allowed->end()))
      return fmt::format("queue {} may not use flavor {}", queue, flavor_name);
  return std::nullopt;
}

// Checks that do not depend on what other jobs have taken of the node.
Objection node_objects(const State::Impl& state, const Place& place, const TaskPlacement& placed,
                       const GangNeed& gang) {
  const TaskIndex task(placed.task);
  const GangPart& need = gang.part_at(task);
  const Inventory& inventory = state.inventory;
  const Flavors flavors = inventory.find_flavors(place.flavor);
  const NodeIndex node = inventory.node_names.find(placed.node);
  if (node == kNone || !inventory.rows[node]) return fmt::format("node {} is gone", placed.node);
  if (!inventory.in_service(node)) return fmt::format("node {} is out of service", placed.node);
  if (inventory.cluster_names[inventory.cluster[node]] != place.cluster ||
      inventory.flavor_of[node] != (flavors.is_mix() ? flavors.of(gang.part_of(task)) : flavors.only()))
    return fmt::format("node {} is not of flavor {} in cluster {}", placed.node, place.flavor, place.cluster);
  if (!inventory.matches(need.rule, node)) return fmt::format("the job may not use node {}", placed.node);
  const std::uint64_t bits = inventory.device_bits(node, placed.devices);
  if (placed.devices.size() != static_cast<std::size_t>(need.task.ids()) ||
      std::popcount(bits) != static_cast<int>(placed.devices.size()))
    return fmt::format("node {} does not have the {} devices", placed.node, need.task.ids());
  if ((bits & ~inventory.of_profile(node, need.task.profile)) != 0)
    return fmt::format("a device of node {} is of another profile", placed.node);
  if ((bits & ~inventory.healthy[node]) != 0) return fmt::format("a device of node {} is not healthy", placed.node);
  return std::nullopt;
}

Objection room_objects(const Inventory& inventory, const TaskPlacement& placed, const NodeNeed& need, When when) {
  const NodeIndex node = inventory.node_names.find(placed.node);
  const std::uint64_t bits = inventory.device_bits(node, placed.devices);
  if (need.asks_for_devices() && !inventory.are_free(node, need, bits, when))
    return fmt::format("a device of node {} is in use", placed.node);
  if (!inventory.has_free(node, need, when)) return fmt::format("node {} has no room", placed.node);
  return std::nullopt;
}

// "1 to 4", or "2".
std::string sizes_of(const Shape& shape) {
  return shape.nodes == shape.most_nodes ? std::to_string(shape.nodes)
                                         : fmt::format("{} to {}", shape.nodes, shape.most_nodes);
}

Objection shortage_in(const State::Impl& state, const QuotaTree& quota, const Shape& sized, const Flavors& flavors) {
  const auto shortage = short_now(quota, sized, flavors);
  if (!shortage) return std::nullopt;
  return fmt::format("the quota of queue {} does not suffice: {} {} of flavor {} needed, {} available",
                     state.queue_names[sized.queue], format_amount(shortage->kind, shortage->needed),
                     to_string(shortage->kind), state.inventory.flavor_names[shortage->flavor],
                     format_amount(shortage->kind, std::max<std::int64_t>(0, shortage->bound.amount)));
}

}  // namespace

Objection job_objects(const State::Impl& state, JobId id) {
  const JobRow* job = state.jobs.find(id);
  if (!job) return fmt::format("job {} has ended", to_string(id));
  if (job->cancel_requested) return fmt::format("job {} is to be cancelled", to_string(id));
  if (job->waiting != Waiting::queued) return fmt::format("job {} is not queued any more", to_string(id));
  return std::nullopt;
}

Objection quota_objects(const State::Impl& state, const Shape& sized, const std::string& flavor_name, When when) {
  if (auto objection = queue_objects(state, sized.queue, flavor_name)) return objection;
  const Flavors flavors = state.inventory.find_flavors(flavor_name);
  if (auto objection = shortage_in(state, state.quota, sized, flavors)) return objection;
  return when == When::now ? shortage_in(state, state.in_use, sized, flavors) : std::nullopt;
}

Objection limit_objects(const State::Impl& state, JobId job, const Shape& sized) {
  const LiveAttempt* live = state.live.find(job);
  const ArrayIndex array = state.jobs.find(job)->array;
  if (!live && array != kNone && state.limits.arrays()[array].left() <= 0)
    return "as many members of its array run as may at once";
  const std::int64_t has = live ? live->total()[ResourceKind::gpus] : 0;
  const auto hit = state.limits.hit(sized.queue, state.jobs.find(job)->user, sized.total()[ResourceKind::gpus] - has,
                                    live ? JobCount::counted : JobCount::fresh);
  if (!hit) return std::nullopt;
  return fmt::format("a limit of queue {} on what runs at once is reached", state.queue_names[hit->queue]);
}

Objection budget_objects(const State::Impl& state, JobId job, const Shape& sized, const std::string& flavor_name,
                         Instant now) {
  const ResourceVector total = sized.total();
  if (!state.budgets.any(sized.queue) || total[ResourceKind::gpus] == 0) return std::nullopt;
  const auto& limit = state.jobs.find(job)->time_limit;
  if (!limit)
    return fmt::format("queue {} has a budget, and the job has no time limit", state.queue_names[sized.queue]);
  const Flavors flavors = state.inventory.find_flavors(flavor_name);
  const auto hit = state.budgets.hit(sized.queue, state.cost_of(sized, flavors, *limit), now);
  if (!hit) return std::nullopt;
  return fmt::format("a budget of queue {} is exhausted", state.queue_names[hit->queue]);
}

Objection window_objects(const State::Impl& state, JobId id, const Place& place, Instant now) {
  const JobRow& job = *state.jobs.find(id);
  const Instant until = job.time_limit ? after(after(now, *job.time_limit), job.grace) : kNever;
  for (const auto& [name, row] : state.reservations) {
    if (row.until <= now || row.from >= until || lets_in(state, row, state.shape_of(job).queue, job.user)) continue;
    for (const TaskPlacement& placed : place.placement)
      if (std::ranges::find(row.nodes, placed.node) != row.nodes.end())
        return fmt::format("node {} belongs to reservation {}", placed.node, name);
  }
  return std::nullopt;
}

Objection size_objects(const Shape& shape, std::size_t tasks) {
  if (shape.may_have(tasks)) return std::nullopt;
  return fmt::format("the placement has {} tasks, the job {}", tasks, sizes_of(shape));
}

// Whether the tasks are in one domain of the level.
bool are_together(const State::Impl& state, std::span<const TaskPlacement> tasks, LevelIndex level) {
  const Topology& topology = state.inventory.topology;
  const auto domain = [&](const TaskPlacement& placed) {
    return topology.domain(level, state.inventory.node_names.find(placed.node));
  };
  const DomainIndex first = domain(tasks.front());
  return first != kNone && std::ranges::all_of(tasks, [&](const auto& one) { return domain(one) == first; });
}

// Precondition: all nodes exist.
Objection level_objects(const State::Impl& state, const Place& place, const Levels& levels) {
  const Topology& topology = state.inventory.topology;
  const std::span tasks(place.placement);
  if (levels.required != kNone && !are_together(state, tasks, levels.required))
    return fmt::format("its nodes are not in one {}", topology.name(levels.required));
  if (levels.slice == kNone) return std::nullopt;
  if (tasks.size() % levels.slice_nodes != 0)
    return fmt::format("it has no whole slices of {} nodes", levels.slice_nodes);
  for (std::size_t first = 0; first < tasks.size(); first += levels.slice_nodes)
    if (!are_together(state, tasks.subspan(first, levels.slice_nodes), levels.slice))
      return fmt::format("the nodes of tasks {} to {} are not in one {}", first, first + levels.slice_nodes - 1,
                         topology.name(levels.slice));
  return std::nullopt;
}

// A placement names flavors by part if, and only if, the job has parts there.
Objection parts_object(const State::Impl& state, const Place& place, const Shape& shape) {
  const Flavors flavors = state.inventory.find_flavors(place.flavor);
  const auto wrong = [&] { return fmt::format("flavor {} is none for the parts that the job has", place.flavor); };
  if (!shape.groups.empty()) return flavors.parts() == shape.groups.size() ? std::nullopt : Objection(wrong());
  if (flavors.parts() > 2 || (flavors.is_mix() && shape.anchor == 0)) return wrong();
  if (shape.anchor == 0 || !state.inventory.is_spot(flavors.first())) return std::nullopt;
  return wrong();
}

Objection gang_objects(const State::Impl& state, const Place& place, const Shape& shape, When when) {
  if (auto objection = parts_object(state, place, shape)) return objection;
  const GangNeed need = shape.need();
  std::set<std::string_view> nodes;
  for (std::size_t i = 0; i < place.placement.size(); ++i) {
    const TaskPlacement& placed = place.placement[i];
    if (placed.task != static_cast<std::int32_t>(i)) return fmt::format("task {} is out of place", placed.task);
    if (!nodes.insert(placed.node).second) return fmt::format("node {} has two tasks of the job", placed.node);
    if (auto objection = node_objects(state, place, placed, need)) return objection;
    if (auto objection = room_objects(state.inventory, placed, need.part_at(TaskIndex(i)).task, when)) return objection;
  }
  return level_objects(state, place, shape.levels);
}

Objection place_is_gone(const State::Impl& state, const Place& place, const Shape& shape) {
  if (auto objection = queue_objects(state, shape.queue, place.flavor)) return objection;
  if (auto objection = parts_object(state, place, shape)) return objection;
  const GangNeed need = shape.need();
  for (const TaskPlacement& placed : place.placement)
    if (auto objection = node_objects(state, place, placed, need)) return objection;
  return level_objects(state, place, shape.levels);
}

Objection quota_is_gone(const State::Impl& state, const Place& place, const Shape& shape) {
  const Shape sized = shape.sized(static_cast<std::int32_t>(place.placement.size()));
  const auto shortage = short_forever(state.quota, sized, state.inventory.find_flavors(place.flavor));
  if (!shortage) return std::nullopt;
  return fmt::format("queue {} can never have the {} {} of flavor {} that it needs: {} at most",
                     state.queue_names[shape.queue], format_amount(shortage->kind, shortage->needed),
                     to_string(shortage->kind), state.inventory.flavor_names[shortage->flavor],
                     format_amount(shortage->kind, shortage->bound.amount));
}

}  // namespace ym::engine
