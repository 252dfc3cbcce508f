#include "engine/preemption/hopeless.h"

#include <algorithm>

namespace ym::engine {

void Hopeless::add(const JobRow& job, const Shape& shape) {
  asks_[{shape.queue, shape.rule}].push_back({.priority = job.priority, .nodes = shape.nodes, .task = shape.task});
}

bool Hopeless::covers(const JobRow& job, const Shape& shape) const {
  const auto found = asks_.find({shape.queue, shape.rule});
  if (found == asks_.end()) return false;
  return std::ranges::any_of(found->second, [&](const Ask& ask) { return covers(ask, job, shape); });
}

bool Hopeless::covers(const Ask& ask, const JobRow& job, const Shape& shape) {
  if (job.priority > ask.priority || shape.nodes < ask.nodes || !shape.task.covers(ask.task)) return false;
  for (std::size_t kind = 0; kind < kResourceKinds; ++kind)
    if ((shape.task.amounts[kind] > 0) != (ask.task.amounts[kind] > 0)) return false;
  return true;
}

}  // namespace ym::engine
