#include "papers/spot/deadline_guard.h"

#include <algorithm>

namespace ym::sim::spot {

std::int64_t slack_taken_ms(const Job& job, const JobState& state, Place place, std::int64_t tick_ms) {
  if (place.mode == Mode::idle) return tick_ms;
  return std::min(tick_ms, place == state.place ? state.start_left_ms : job.start_ms);
}

bool keeps_deadline(const Job& job, const JobState& state, Place place, std::int64_t tick_ms) {
  if (place.mode == Mode::on_demand) return true;
  return slack_ms(job, state) - slack_taken_ms(job, state, place, tick_ms) >= job.start_ms;
}

Place guarded(const Job& job, const JobState& state, Place wanted, std::int64_t tick_ms) {
  return keeps_deadline(job, state, wanted, tick_ms) ? wanted : kOnDemand;
}

}  // namespace ym::sim::spot
