// fits: whether a decision that was taken on an earlier state still holds.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>

#include "engine/engine.h"
#include "engine/quota/demand.h"
#include "engine/state/impl.h"

namespace ym::engine {
namespace {

using Objection = std::optional<std::string>;

Objection job_objects(const State::Impl& state, JobId id) {
  const JobRow* job = state.jobs.find(id);
  if (!job) return fmt::format("job {} has ended", to_string(id));
  if (job->cancel_requested) return fmt::format("job {} is to be cancelled", to_string(id));
  if (job->waiting != Waiting::queued) return fmt::format("job {} is not queued any more", to_string(id));
  return std::nullopt;
}

Objection devices_object(const Inventory& inventory, Index node, const TaskPlacement& placed, const NodeNeed& need) {
  const std::uint64_t bits = inventory.device_bits(node, placed.devices);
  if (placed.devices.size() != static_cast<std::size_t>(need.devices) ||
      std::popcount(bits) != static_cast<int>(placed.devices.size()))
    return fmt::format("node {} does not have the {} devices", placed.node, need.devices);
  if ((bits & ~inventory.healthy[node]) != 0) return fmt::format("a device of node {} is not healthy", placed.node);
  if ((bits & inventory.used_devices[node]) != 0) return fmt::format("a device of node {} is in use", placed.node);
  return std::nullopt;
}

Objection node_objects(const State::Impl& state, const Admission& admission, const TaskPlacement& placed,
                       const GangNeed& need) {
  const Inventory& inventory = state.inventory;
  const Index node = inventory.node_names.find(placed.node);
  if (node == kNone || !inventory.rows[node]) return fmt::format("node {} is gone", placed.node);
  if (!inventory.in_service(node)) return fmt::format("node {} is out of service", placed.node);
  if (inventory.cluster_names[inventory.cluster[node]] != admission.cluster ||
      inventory.flavor_of[node] != inventory.flavor_names.find(admission.flavor))
    return fmt::format("node {} is not of flavor {} in cluster {}", placed.node, admission.flavor, admission.cluster);
  if (!inventory.matches(need.rule, node)) return fmt::format("the job may not use node {}", placed.node);
  if (auto objection = devices_object(inventory, node, placed, need.task)) return objection;
  if (!inventory.has_free(node, need.task)) return fmt::format("node {} has no room", placed.node);
  return std::nullopt;
}

Objection gang_objects(const State::Impl& state, const Admission& admission, const Shape& shape) {
  if (admission.placement.size() != static_cast<std::size_t>(shape.nodes))
    return fmt::format("the placement has {} tasks, the job {}", admission.placement.size(), shape.nodes);
  std::set<std::string_view> nodes;
  for (std::size_t i = 0; i < admission.placement.size(); ++i) {
    const TaskPlacement& placed = admission.placement[i];
    if (placed.task != static_cast<std::int32_t>(i)) return fmt::format("task {} is out of place", placed.task);
    if (!nodes.insert(placed.node).second) return fmt::format("node {} has two tasks of the job", placed.node);
    if (auto objection = node_objects(state, admission, placed, shape.need())) return objection;
  }
  return std::nullopt;
}

Objection quota_objects(const State::Impl& state, const Shape& shape, const std::string& flavor_name) {
  const std::string& queue = state.queue_names[shape.queue];
  if (state.quota.fault(shape.queue) != QueueFault::none) return fmt::format("queue {} cannot run jobs", queue);
  const Index flavor = state.inventory.flavor_names.find(flavor_name);
  const auto& allowed = state.quota.flavors(shape.queue);
  if (flavor == kNone || (allowed && std::ranges::find(*allowed, flavor) == allowed->end()))
    return fmt::format("queue {} may not use flavor {}", queue, flavor_name);
  if (const auto shortage = short_now(state.quota, shape, flavor))
    return fmt::format("the quota of queue {} does not suffice: {} {} of flavor {} needed, {} available", queue,
                       format_amount(shortage->kind, shortage->needed), to_string(shortage->kind), flavor_name,
                       format_amount(shortage->kind, std::max<std::int64_t>(0, shortage->bound.amount)));
  return std::nullopt;
}

Objection objection_to(const State::Impl& state, const Admission& admission) {
  if (auto objection = job_objects(state, admission.job)) return objection;
  const Shape& shape = state.shape_of(*state.jobs.find(admission.job));
  if (auto objection = quota_objects(state, shape, admission.flavor)) return objection;
  return gang_objects(state, admission, shape);
}

Objection objection_to(const State::Impl& state, const Deferral& deferral) { return job_objects(state, deferral.job); }

}  // namespace

std::optional<std::string> fits(const State& state, const Decision& decision) {
  return std::visit([&](const auto& one) { return objection_to(state.impl(), one); }, decision);
}

}  // namespace ym::engine
