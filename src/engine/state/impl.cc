#include "engine/state/impl.h"

#include "base/assert.h"

namespace ym::engine {

void State::Impl::add_job(const Job& job) {
  const JobSpec& spec = *job.spec;
  const Need need{
      .rule = inventory.acquire_rule(NodeRule::of(spec)), .task = spec.resources.vector(), .nodes = spec.nodes};
  const auto [need_index, fresh_need] = needs.acquire(need);
  const auto [shape, fresh_shape] = shapes.acquire({.queue = queue_names.intern(job.queue),
                                                    .need_index = need_index,
                                                    .rule = need.rule,
                                                    .task = need.task,
                                                    .nodes = need.nodes});
  // A shape holds its need once, and a need its rule, however many jobs share them.
  if (!fresh_need) inventory.release_rule(need.rule);
  if (!fresh_shape) needs.release(need_index);
  jobs.add(job, shape);
}

void State::Impl::remove_job(JobId id) {
  const Index shape = jobs.remove(id);
  if (!shapes.release(shape)) return;
  if (needs.release(shapes[shape].need_index)) inventory.release_rule(shapes[shape].rule);
}

void State::Impl::add_live(const Attempt& attempt) {
  const Shape& shape = shape_of(jobs.at(attempt.job));
  LiveAttempt held{.queue = queue_names.intern(attempt.queue),
                   .flavor = inventory.flavor(attempt.flavor),
                   .task = shape.task,
                   .tasks = {}};
  const NodeNeed need = NodeNeed::of(shape.task);
  for (const auto& placed : attempt.placement) {
    const Index node = inventory.node(placed.node);
    held.tasks.push_back(
        {.node = node, .bits = inventory.device_bits(node, placed.devices), .devices = placed.devices});
    inventory.take(node, need, held.tasks.back().bits);
  }
  // A rebuild charges all that is in `live`.
  if (quota_is_current()) quota.add(held.queue, held.flavor, held.total());
  live.add(attempt.job, std::move(held));
}

void State::Impl::end_live(JobId job) {
  const LiveAttempt held = live.remove(job);
  const NodeNeed need = NodeNeed::of(held.task);
  for (const auto& task : held.tasks) inventory.give_back(task.node, need, task.bits);
  for (const auto& task : held.tasks) forget_if_unused(task.node);
  if (quota_is_current()) quota.remove(held.queue, held.flavor, held.total());
}

void State::Impl::set_node(const Node& row) {
  if (inventory.set(row)) renew_bits(inventory.node(row.name));
}

void State::Impl::remove_node(const std::string& name) {
  inventory.remove_node(name);
  const Index node = inventory.node(name);
  renew_bits(node);
  forget_if_unused(node);
}

// Which bits the node's running tasks hold, now that its devices are others.
void State::Impl::renew_bits(Index node) {
  inventory.used_devices[node] = 0;
  for (const LiveRef& ref : live.on_node(node)) {
    LiveTask& task = live.task(ref);
    task.bits = inventory.device_bits(node, task.devices);
    inventory.used_devices[node] |= task.bits;
  }
}

void State::Impl::forget_if_unused(Index node) {
  const bool known = inventory.node_names.find(inventory.node_names[node]) == node;
  if (known && !inventory.rows[node] && live.on_node(node).empty()) inventory.forget_node(node);
}

void State::Impl::refresh() {
  if (quota_is_current()) return;
  quota.rebuild(queues, queue_names, inventory.flavor_names);
  for (const auto& [job, held] : live) quota.add(held.queue, held.flavor, held.total());
  quota_stale = false;
}

}  // namespace ym::engine
