#include "papers/spot/published_rules.h"

namespace ym::sim::spot {
namespace {

Place first_zone_up(const View& view) {
  for (std::size_t zone = 0; zone < view.zones(); ++zone)
    if (view.up(zone)) return on_spot(zone);
  return kIdle;
}

bool has_to_end_on_demand(const Job& job, const JobState& state) { return slack_ms(job, state) < 2 * job.start_ms; }

// Whether the work done is at least what the pace asks for at that time.
bool on_pace(const Job& job, const JobState& state, std::int64_t at_ms) {
  return (job.work_ms - state.left_ms) * job.deadline_ms >= at_ms * job.work_ms;
}

}  // namespace

Place Greedy::decide(const Job& job, const JobState& state, const View& view) {
  if (state.place.mode == Mode::spot) return state.place;
  to_the_end_ = to_the_end_ || has_to_end_on_demand(job, state);
  return to_the_end_ ? kOnDemand : first_zone_up(view);
}

Place UniformProgress::decide(const Job& job, const JobState& state, const View& view) {
  if (state.place.mode == Mode::spot) return state.place;
  to_the_end_ = to_the_end_ || has_to_end_on_demand(job, state);
  if (to_the_end_) return kOnDemand;
  const Place spot = first_zone_up(view);
  if (state.place.mode == Mode::on_demand) {
    const bool ahead = on_pace(job, state, state.now_ms + 2 * job.start_ms);
    return ahead && spot != kIdle ? spot : kOnDemand;
  }
  if (spot != kIdle) return spot;
  return on_pace(job, state, state.now_ms) ? kIdle : kOnDemand;
}

}  // namespace ym::sim::spot
