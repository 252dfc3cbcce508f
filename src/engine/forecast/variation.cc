#include "engine/forecast/variation.h"

namespace ym::engine {

Request Request::of(const State::Impl& state, JobId job) {
  const JobRow& row = *state.jobs.find(job);
  const Shape& shape = state.shape_of(row);
  Request request{.shape = shape, .rules = {}, .time_limit = row.time_limit};
  for (const Group& group : shape.groups) request.rules.push_back(state.inventory.rule(group.rule));
  if (shape.groups.empty()) request.rules.push_back(state.inventory.rule(shape.rule));
  return request;
}

Variation::Variation(State::Impl& state, JobId job, const Request& request)
    : state_(state), job_(job), shape_(state.jobs.at(job).shape), time_limit_(state.jobs.at(job).time_limit) {
  YM_ASSERT(state.jobs.at(job).waiting == Waiting::queued && !state.nominations.find(job));
  JobRow& row = state_.jobs.at(job_);
  state_.jobs.set_shape(job_, state_.acquire_shape(request.shape, request.rules));
  state_.count_tasks(state_.shapes[shape_], -1);
  state_.count_tasks(state_.shapes[row.shape], 1);
  row.time_limit = request.time_limit;
}

Variation::~Variation() {
  JobRow& row = state_.jobs.at(job_);
  state_.count_tasks(state_.shapes[row.shape], -1);
  state_.count_tasks(state_.shapes[shape_], 1);
  state_.release_shape(row.shape);
  state_.jobs.set_shape(job_, shape_);
  row.time_limit = time_limit_;
}

}  // namespace ym::engine
