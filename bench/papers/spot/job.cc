#include "papers/spot/job.h"

#include <algorithm>

namespace ym::sim::spot {

JobState submitted(const Job& job) { return {.left_ms = job.work_ms}; }

std::int64_t slack_ms(const Job& job, const JobState& state) { return job.deadline_ms - state.now_ms - state.left_ms; }

std::int64_t cost(const Bill& bill, const Prices& prices) {
  return bill.on_demand_ms * prices.on_demand_cents + bill.spot_ms * prices.spot_cents;
}

void advance(const Job& job, JobState& state, Place place, std::int64_t tick_ms, Bill& bill) {
  const bool moves = place != state.place;
  state.place = place;
  if (place.mode == Mode::idle) {
    state.start_left_ms = 0;
    state.now_ms += tick_ms;
    return;
  }
  if (moves) {
    state.start_left_ms = job.start_ms;
    ++bill.starts;
  }
  const std::int64_t start_ms = std::min(tick_ms, state.start_left_ms);
  const std::int64_t work_ms = std::min(tick_ms - start_ms, state.left_ms);
  const bool on_demand = place.mode == Mode::on_demand;
  (on_demand ? bill.on_demand_ms : bill.spot_ms) += start_ms + work_ms;
  (on_demand ? bill.on_demand_work_ms : bill.spot_work_ms) += work_ms;
  state.start_left_ms -= start_ms;
  state.left_ms -= work_ms;
  state.now_ms += state.left_ms == 0 ? start_ms + work_ms : tick_ms;
}

}  // namespace ym::sim::spot
