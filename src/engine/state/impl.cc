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
  if (quota.covers(queue_names, inventory.flavor_names)) quota.add(held.queue, held.flavor, held.total());
  jobs.live.insert_or_assign(attempt.job, std::move(held));
}

void State::Impl::end_live(JobId job) {
  const auto it = jobs.live.find(job);
  YM_ASSERT(it != jobs.live.end());
  const NodeNeed need = NodeNeed::of(it->second.task);
  for (const auto& task : it->second.tasks) inventory.give_back(task.node, need, task.bits);
  quota.remove(it->second.queue, it->second.flavor, it->second.total());
  jobs.live.erase(it);
}

void State::Impl::renew_bits(const std::string& name) {
  const Index node = inventory.node(name);
  inventory.used_devices[node] = 0;
  for (auto& [job, held] : jobs.live)
    for (auto& task : held.tasks) {
      if (task.node != node) continue;
      task.bits = inventory.device_bits(node, task.devices);
      inventory.used_devices[node] |= task.bits;
    }
}

void State::Impl::rebuild_quota() {
  quota.rebuild(queues, queue_names, inventory.flavor_names);
  for (const auto& [job, held] : jobs.live) quota.add(held.queue, held.flavor, held.total());
}

void State::Impl::rebuild_quota_if_outgrown() {
  if (!quota.covers(queue_names, inventory.flavor_names)) rebuild_quota();
}

}  // namespace ym::engine
