#include "engine/forecast/variation.h"

namespace ym::engine {

Request Request::of(const State::Impl& state, JobId job) {
  const JobRow& row = *state.jobs.find(job);
  const Shape& shape = state.shape_of(row);
  return {.shape = shape, .rule = state.inventory.rule(shape.rule), .time_limit = row.time_limit};
}

Variation::Variation(State::Impl& state, JobId job, const Request& request)
    : state_(state), job_(job), shape_(state.jobs.at(job).shape), time_limit_(state.jobs.at(job).time_limit) {
  YM_ASSERT(state.jobs.at(job).waiting == Waiting::queued && !state.holds.find(job));
  JobRow& row = state_.jobs.at(job_);
  row.shape = state_.acquire_shape(request.shape, request.rule);
  count(shape_, -1);
  count(row.shape, 1);
  row.time_limit = request.time_limit;
}

// As if it had been submitted so.
void Variation::count(Index index, int jobs) {
  const Shape& shape = state_.shapes[index];
  if (jobs > 0) state_.workload.add(NodeNeed::of(shape.task), shape.most_nodes);
  else state_.workload.remove(NodeNeed::of(shape.task), shape.most_nodes);
}

Variation::~Variation() {
  JobRow& row = state_.jobs.at(job_);
  count(row.shape, -1);
  count(shape_, 1);
  state_.release_shape(row.shape);
  row.shape = shape_;
  row.time_limit = time_limit_;
}

}  // namespace ym::engine
