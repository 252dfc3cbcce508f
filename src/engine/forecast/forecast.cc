#include "engine/forecast/forecast.h"

#include <algorithm>

#include "engine/forecast/future.h"

namespace ym::engine {
Forecast forecast(const State& state, const Policy& policy, Instant now, const ForecastBounds& bounds) {
  Policy silent = policy;
  silent.verdicts = false;
  const auto foresee = [&](Pace pace) { return Future(state, silent, now, pace).run(bounds); };
  const Foreseen quick = foresee(Pace::quick), slow = foresee(Pace::slow), usual = foresee(Pace::usual);
  Forecast forecast{.version = state.version(), .as_of = now, .until = usual.until, .starts = {}};
  for (const auto& [job, median] : usual.starts) {
    // That others end later can let a job start earlier, as order and reservations come out in another way.
    const auto early = quick.start_of(job), late = slow.start_of(job);
    PredictedStart start{.median = median, .low = median, .high = {}};
    for (const auto& other : {early, late})
      if (other) start.low = std::min(start.low, *other);
    if (late) start.high = std::max({median, *late, early.value_or(median)});
    forecast.starts.emplace(job, start);
  }
  return forecast;
}

}  // namespace ym::engine
