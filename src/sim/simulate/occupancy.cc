#include "sim/simulate/occupancy.h"

namespace ym::sim {
namespace {

std::int64_t scattered(const Occupancy::Node& node) {
  return node.used_milli == 0 ? 0 : std::max<std::int64_t>(0, node.gpus_milli - node.used_milli);
}

}  // namespace

std::int64_t gpu_milli_of(const ym::Node& node) {
  std::int64_t milli = 0;
  for (const Device& device : node.devices) milli += device.milli();
  return milli;
}

Occupancy::Holding Occupancy::take(const Attempt& attempt, const JobSpec& spec, const Tables& tables) {
  Holding holding;
  for (const TaskPlacement& task : attempt.placement) {
    const std::int64_t milli = spec.resources_of(task.task).vector()[ResourceKind::gpus];
    if (milli == 0) continue;
    Node& node = nodes_[task.node];
    node.gpus_milli = gpu_milli_of(tables.nodes.at(task.node));
    change(node, milli);
    holding.emplace_back(&node, milli);
  }
  return holding;
}

void Occupancy::give_back(const Holding& holding) {
  for (const auto& [node, milli] : holding) change(*node, -milli);
}

void Occupancy::change(Node& node, std::int64_t milli) {
  scattered_milli_ -= scattered(node);
  node.used_milli += milli;
  scattered_milli_ += scattered(node);
}

}  // namespace ym::sim
