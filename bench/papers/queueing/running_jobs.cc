#include "papers/queueing/running_jobs.h"

#include "base/assert.h"

namespace ym::sim::queueing {

void RunningJobs::advance_to(Micros now_us) {
  YM_ASSERT(now_us >= now_us_ && now_us <= first_end_us());
  now_us_ = now_us;
  while (first_end_us() <= now_us_) {
    const JobNumber job = ends_.begin()->second;
    leave(job);
    outcomes_[job].end_us = now_us_;
  }
}

bool RunningJobs::start(JobNumber job) {
  auto placement = nodes_.find(jobs_[job].gpus, service::Fit::best);
  if (!placement) return false;
  nodes_.take(*placement);
  State& state = states_[job];
  state.placement = std::move(*placement);
  state.since_us = now_us_;
  state.runs = true;
  ends_.emplace(now_us_ + state.left_us, job);
  if (outcomes_[job].starts++ == 0) outcomes_[job].first_start_us = now_us_;
  return true;
}

void RunningJobs::stop(JobNumber job, Micros added_us) {
  leave(job);
  states_[job].left_us += added_us;
}

void RunningJobs::leave(JobNumber job) {
  State& state = states_[job];
  YM_ASSERT(state.runs);
  ends_.erase({state.since_us + state.left_us, job});
  nodes_.give_back(state.placement);
  state.placement.clear();
  state.left_us -= now_us_ - state.since_us;
  state.ran_us += now_us_ - state.since_us;
  state.runs = false;
}

Micros RunningJobs::left_us(JobNumber job) const {
  const State& state = states_[job];
  return state.left_us - (state.runs ? now_us_ - state.since_us : 0);
}

Micros RunningJobs::ran_us(JobNumber job) const {
  const State& state = states_[job];
  return state.ran_us + (state.runs ? now_us_ - state.since_us : 0);
}

}  // namespace ym::sim::queueing
