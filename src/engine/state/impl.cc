#include "engine/state/impl.h"

#include <tuple>
#include <utility>

#include "base/assert.h"

namespace ym::engine {

// A single node is always in one domain, and of one GPU type.
Levels State::Impl::levels_of(const JobSpec& spec) {
  if (spec.nodes == 1) return {};
  Topology& topology = inventory.topology;
  const auto& [required, preferred] = std::tie(spec.placement.required_level, spec.placement.preferred_level);
  Levels levels{.required = topology.level(required), .preferred = topology.level(preferred)};
  if (spec.resources.gpus > 0 && !spec.resources.other_gpu_types.empty())
    levels = {.required = topology.level_of_one_type(required),
              .preferred = preferred.empty() ? kNone : topology.level_of_one_type(preferred)};
  if (const auto& slice = spec.placement.slice) {
    levels.slice = topology.level(slice->level);
    levels.slice_nodes = static_cast<std::uint32_t>(slice->nodes);
  }
  return levels;
}

ShapeIndex State::Impl::shape_for(const JobSpec& spec, const std::string& queue) {
  Shape wanted{.queue = queue_names.intern(queue),
               .levels = levels_of(spec),
               .task = inventory.task_of(spec.resources),
               .nodes = spec.smallest(),
               .most_nodes = spec.nodes,
               .anchor = spec.placement.anchor};
  std::vector<NodeRule> rules;
  for (const TaskGroup& group : spec.groups) {
    wanted.groups.push_back({.nodes = group.nodes, .task = inventory.task_of(group.resources)});
    rules.push_back(NodeRule::of(group.resources, spec.placement));
  }
  if (rules.empty()) rules.push_back(NodeRule::of(spec.resources, spec.placement));
  for (NodeRule& rule : rules) rule.in_container = !spec.image.empty();
  return acquire_shape(std::move(wanted), rules);
}

void State::Impl::add_job(const Job& job) {
  const JobSpec& spec = *job.spec;
  const ShapeIndex shape = shape_for(spec, job.queue);
  jobs.add(job, shape);
  count_tasks(shapes[shape], 1);
  jobs.at(job.id).user = user_names.intern(job.owner);
  if (job.group && spec.array_parallel) jobs.at(job.id).array = limits.acquire_array(*job.group, *spec.array_parallel);
}

void State::Impl::count_tasks(const Shape& shape, int by) {
  const auto count = [&](RuleIndex rule, const Task& task, std::int64_t tasks) {
    workload.add(rule, NodeNeed::of(task), tasks * by);
  };
  if (shape.groups.empty()) count(shape.rule, shape.task, shape.most_nodes);
  for (const Group& group : shape.groups) count(group.rule, group.task, group.nodes);
}

void State::Impl::remove_job(JobId id) {
  end_nomination(id);
  history.forget(id);
  if (const ArrayIndex array = jobs.at(id).array; array != kNone) limits.release_array(array);
  const ShapeIndex shape = jobs.remove(id);
  count_tasks(shapes[shape], -1);
  release_shape(shape);
}

IndexedVector<TaskIndex, LiveTask> State::Impl::tasks_of(const std::vector<TaskPlacement>& placement) {
  IndexedVector<TaskIndex, LiveTask> tasks;
  for (const auto& placed : placement) {
    const NodeIndex node = inventory.node(placed.node);
    tasks.push_back({.node = node, .bits = inventory.device_bits(node, placed.devices), .devices = placed.devices});
  }
  return tasks;
}

void State::Impl::add_live(const Attempt& attempt) {
  LiveAttempt fresh;
  static_cast<Footprint&>(fresh) = shape_of(jobs.at(attempt.job)).footprint(inventory.intern_flavors(attempt.flavor));
  fresh.queue = queue_names.intern(attempt.queue);
  fresh.tasks = tasks_of(attempt.placement);
  fresh.prices_micros = attempt.prices_micros;
  fresh.number = attempt.number;
  fresh.admitted_at = attempt.admitted_at;
  fresh.admitted_on = day_of(attempt.admitted_at);
  take(jobs.slot(attempt.job), fresh);
  if (std::cmp_less(fresh.tasks.size(), shape_of(jobs.at(attempt.job)).most_nodes)) growable.insert(attempt.job);
  live.add(attempt.job, std::move(fresh));
  learn(attempt.job, [&](LiveAttempt& held) {
    held.started_at = attempt.started_at;
    held.stop_by = attempt.stop_by;
    held.yields_to = attempt.yields_to.value_or(JobId{});
    held.stopping = attempt.stop_cause.has_value();
    held.preempted = attempt.stop_cause == StopCause::preemption;
    held.unreachable = attempt.state == AttemptState::unknown;
  });
}

void State::Impl::end_live(JobId job) {
  const Nomination* kept = quota_is_current() ? holds.find(job) : nullptr;
  if (kept) uncount_kept(jobs.slot(job), *kept);
  const LiveAttempt held = live.remove(job);
  growable.erase(job);
  if (held.leaving) leaving -= 1;
  give_back(jobs.slot(job), held, held.leaving);
  if (kept) count_kept(jobs.slot(job), *kept);
  for (const auto& task : held.tasks) {
    if (another_has(task)) renew_bits(task.node);
    forget_if_unused(task.node);
  }
}

// Happens only if the state was set back: an attempt was found again, and holds what an attempt had that, in truth,
// had ended.
bool State::Impl::another_has(const LiveTask& task) const {
  return std::ranges::any_of(live.on_node(task.node), [&](const LiveRef& ref) {
    return (live.find(ref.job)->tasks[ref.task].bits & task.bits) != 0;
  });
}

void State::Impl::nominate(JobId job, const NominatedPlacement& hold) {
  end_nomination(job);
  const Shape& shape = shape_of(jobs.at(job));
  Nomination place;
  static_cast<Footprint&>(place) = shape.footprint(inventory.intern_flavors(hold.flavor));
  place.tasks = tasks_of(hold.placement);
  place.cluster = inventory.cluster_names.intern(hold.cluster);
  place.expires_at = hold.expires_at;
  place.victims = hold.victims;
  keep(jobs.slot(job), place, false);
  holds.add(job, std::move(place));
}

void State::Impl::end_nomination(JobId job) {
  if (!holds.find(job)) return;
  const Nomination place = holds.remove(job);
  unkeep(jobs.slot(job), place, false);
  for (const auto& task : place.tasks) forget_if_unused(task.node);
}

void State::Impl::set_node(const Node& row) {
  if (inventory.set(row)) renew_bits(inventory.node(row.name));
}

void State::Impl::remove_node(const std::string& name) {
  inventory.remove_node(name);
  const NodeIndex node = inventory.node(name);
  renew_bits(node);
  forget_if_unused(node);
}

// Updates the device bits of the node's tasks after its devices changed.
void State::Impl::renew_bits(NodeIndex node) {
  inventory.clear_devices(node);
  for (const LiveRef& ref : live.on_node(node)) {
    LiveTask& task = live.task(ref);
    task.bits = inventory.device_bits(node, task.devices);
    allocations.renew_bits(jobs.slot(ref.job), node, task.bits);
    const LiveAttempt& attempt = live.at(ref.job);
    const NodeNeed need = need_of(attempt, ref.task);
    inventory.add_devices(inventory.used, node, need, task.bits);
    if (attempt.leaving) inventory.add_devices(inventory.leaving, node, need, task.bits);
  }
  for (const LiveRef& ref : holds.on_node(node)) {
    LiveTask& task = holds.task(ref);
    task.bits = inventory.device_bits(node, task.devices);
    inventory.add_devices(inventory.held, node, need_of(holds.at(ref.job), ref.task), task.bits);
  }
}

void State::Impl::forget_if_unused(NodeIndex node) {
  const bool known = inventory.node_names.find(inventory.node_names[node]) == node;
  if (known && !inventory.rows[node] && live.on_node(node).empty() && holds.on_node(node).empty())
    inventory.forget_node(node);
}

void State::Impl::refresh() {
  inventory.renew_topology();
  if (quota_is_current()) return;
  quota.rebuild(queues, queue_names, inventory.flavor_names);
  in_use = quota;
  limits.rebuild(queues, queue_names);
  budgets.rebuild(queues, queue_names);
  for (const auto& [name, row] : spending)
    if (const QueueIndex queue = queue_names.find(row.queue); queue != kNone) budgets.add(queue, row.day, row.cost);
  for (const auto& [job, held] : live) {
    limits.add(held.queue, jobs.find(job)->user, held.total()[ResourceKind::gpus], jobs.find(job)->array);
    budgets.add(held.queue, held.admitted_on, most_cost(jobs.slot(job), held));
    charge(in_use, held);
    if (!held.leaving) charge(quota, held);
  }
  for (const auto& [job, place] : holds) {
    count_kept(jobs.slot(job), place);
    charge(quota, place);
  }
  claimed = promised = quota;
  orders = QueueOrders(queues, queue_names);
  stops = QueueStops(queues, queue_names, quota);
  quota_stale = false;
}

}  // namespace ym::engine
