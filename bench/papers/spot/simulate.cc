#include "papers/spot/simulate.h"

#include "base/assert.h"

namespace ym::sim::spot {

Bill run(const Job& job, const Market& market, std::size_t start, Policy& policy) {
  JobState state = submitted(job);
  Bill bill;
  for (std::size_t tick = start; state.left_ms > 0 && tick < market.ticks(); ++tick) {
    if (state.place.mode == Mode::spot && !market.up(state.place.zone, tick)) {
      state.place = kIdle;
      state.start_left_ms = 0;
    }
    const Place place = policy.decide(job, state, market.view(tick));
    YM_ASSERT(place.mode != Mode::spot || market.up(place.zone, tick));
    advance(job, state, place, market.tick_ms, bill);
  }
  bill.late = state.left_ms > 0 || state.now_ms > job.deadline_ms;
  return bill;
}

}  // namespace ym::sim::spot
