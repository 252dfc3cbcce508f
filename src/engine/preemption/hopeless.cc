#include "engine/preemption/hopeless.h"

namespace ym::engine {

void Hopeless::add(const JobRow& job, const Shape& shape, Contested contested) {
  asks_[{shape.queue, shape.rule}].push_back(
      {.priority = job.priority, .nodes = shape.nodes, .task = shape.task, .contested = std::move(contested)});
}

bool Hopeless::covers(const Ask& ask, const JobRow& job, const Shape& shape) {
  if (job.priority > ask.priority || shape.nodes < ask.nodes || !shape.task.covers(ask.task)) return false;
  for (std::size_t kind = 0; kind < kResourceKinds; ++kind)
    if ((shape.task.amounts[kind] > 0) != (ask.task.amounts[kind] > 0)) return false;
  return true;
}

}  // namespace ym::engine
