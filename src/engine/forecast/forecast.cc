#include "engine/forecast/forecast.h"

#include <algorithm>
#include <array>

#include "engine/forecast/future.h"

namespace ym::engine {
namespace {

using Starts = std::map<JobId, Instant>;

std::optional<Instant> start_in(const Starts& starts, JobId job) {
  const auto found = starts.find(job);
  return found == starts.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

Forecast forecast(const State& state, const Policy& policy, Instant now, const ForecastBounds& bounds) {
  Policy silent = policy;
  silent.verdicts = false;
  const auto starts = [&](Pace pace) { return Future(state, silent, now, pace).run(bounds); };
  const Starts quick = starts(Pace::quick).starts, slow = starts(Pace::slow).starts;
  const Foreseen usual = starts(Pace::usual);
  Forecast forecast{.version = state.version(), .as_of = now, .until = usual.until, .starts = {}};
  for (const auto& [job, median] : usual.starts) {
    // That others end later can let a job start earlier, as order and reservations come out in another way.
    const auto early = start_in(quick, job), late = start_in(slow, job);
    PredictedStart start{.median = median, .low = median, .high = {}};
    for (const auto& other : {early, late})
      if (other) start.low = std::min(start.low, *other);
    if (late) start.high = std::max({median, *late, early.value_or(median)});
    forecast.starts.emplace(job, start);
  }
  return forecast;
}

}  // namespace ym::engine
