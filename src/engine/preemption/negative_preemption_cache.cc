#include "engine/preemption/negative_preemption_cache.h"

#include <tuple>

namespace ym::engine {
namespace {

// Whether each place with room for `task` also has room for `other`.
bool is_harder(const Task& task, const Task& other) {
  const bool alike = task.profile == other.profile && task.part.is_none() == other.part.is_none();
  return alike && task.devices >= other.devices && task.part.covers(other.part) && task.covers(other);
}

}  // namespace

void NegativePreemptionCache::add(const JobRow& job, std::size_t stops_before, const Shape& shape,
                                  Contested contested) {
  asks_[key_of(shape)].push_back({.priority = job.priority,
                                  .nodes = shape.nodes,
                                  .stops_before = stops_before,
                                  .submitted_at = job.submitted_at,
                                  .id = job.id,
                                  .task = shape.task,
                                  .contested = std::move(contested)});
}

bool NegativePreemptionCache::covers(const Ask& ask, const JobRow& job, const Shape& shape) {
  const auto may_stop = [](std::int32_t priority, Instant submitted_at, JobId id) {
    return std::tuple(-std::int64_t{priority}, submitted_at, id);
  };
  if (may_stop(job.priority, job.submitted_at, job.id) < may_stop(ask.priority, ask.submitted_at, ask.id)) return false;
  if (shape.nodes < ask.nodes || !is_harder(shape.task, ask.task)) return false;
  for (std::size_t kind = 0; kind < kResourceKinds; ++kind)
    if ((shape.task.amounts[kind] > 0) != (ask.task.amounts[kind] > 0)) return false;
  return true;
}

}  // namespace ym::engine
