#include "engine/forecast/forecast.h"

#include <algorithm>

#include "engine/forecast/future.h"
#include "engine/reserve/walltime.h"

namespace ym::engine {
namespace {

constexpr std::int64_t kUnit = 1000;

StartMargins margins_of(const Forecast& forecast, const std::string& queue) {
  const auto found = forecast.margins.find(queue);
  return found == forecast.margins.end() ? StartMargins{} : found->second;
}

Duration start_takes(const Forecast& forecast) { return std::max(forecast.start_allowance, kFinest); }

// The time that a start takes is included, so that a start due now is stretched too.
Instant stretched(const Forecast& forecast, Instant at, std::int64_t by, std::int64_t of) {
  const Duration takes = start_takes(forecast);
  const Duration ahead{(at - forecast.as_of + takes).ms * by / of - takes.ms};
  return forecast.as_of + std::max(ahead, Duration{0});
}

// A start beyond the horizon has no late end. If late ends are too late in general, the start may be before the
// horizon.
std::optional<Instant> late_end(const Forecast& forecast, const PredictedStart& start, std::int64_t late_milli) {
  if (start.high) return stretched(forecast, *start.high, late_milli, kUnit);
  if (late_milli >= kUnit || !forecast.horizon) return std::nullopt;
  return stretched(forecast, *forecast.horizon, late_milli, kUnit);
}

}  // namespace

PredictedStart adjusted_at(const Forecast& forecast, const std::string& queue, const PredictedStart& start,
                           Instant now) {
  const StartMargins margins = margins_of(forecast, queue);
  const Duration grain{(start.median - forecast.as_of).ms / kGrains}, takes = start_takes(forecast);
  const Instant early = stretched(forecast, start.low, kUnit, margins.early_milli);
  const auto late = late_end(forecast, start, margins.late_milli);
  PredictedStart adjusted{
      .median = std::max(start.median, now), .low = std::max(now, std::min(early, start.median - grain)), .high = {}};
  if (late) adjusted.high = std::max({*late, start.median + grain + takes, adjusted.median + takes});
  return adjusted;
}

std::optional<Instant> late_end_of(const Forecast& forecast, const std::string& queue, const PredictedStart& start) {
  return late_end(forecast, start, std::max(kUnit, margins_of(forecast, queue).late_milli));
}

Forecast forecast(const State& state, const Policy& policy, Instant now, const ForecastBounds& bounds) {
  Policy silent = policy;
  silent.verdicts = false;
  const auto foresee = [&](Pace pace) { return Future(state, silent, now, pace).run(bounds); };
  const Foreseen quick = foresee(Pace::quick), slow = foresee(Pace::slow);
  Future future(state, silent, now, Pace::usual);
  const Foreseen usual = future.run(bounds);
  Forecast forecast{.version = state.version(),
                    .as_of = now,
                    .until = usual.until,
                    .horizon = {},
                    .without = future.why_not(bounds),
                    .start_allowance = policy.start_allowance};
  const Instant horizon = after(now, bounds.horizon);
  if (slow.until == horizon && usual.until == horizon) forecast.horizon = horizon;
  for (const auto& [job, median] : usual.starts) {
    // A job can start earlier because others end later: order and reservations then turn out differently.
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
