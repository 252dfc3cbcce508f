// Forecast: when each waiting job will start, if the world goes on as is expected.
//
// The engine that decides is run forward on copies of the state: what it admits runs for as long as it is
// expected to, what it stops leaves within its grace, and nobody submits anything. This is done three times,
// with run times that are short, usual and long; what comes out is a guess, and nothing is decided by it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>

#include "engine/engine.h"

namespace ym::engine {

struct ForecastBounds {
  Duration horizon = hours(14 * 24);
  std::size_t cycles = 400;       // of each run
  std::size_t looks = 4'000'000;  // at jobs that wait, of each run
  // Asked before each cycle; false: it ends there. Empty: it goes on.
  std::function<bool()> go_on{};
};

// Four of five jobs start between `low` and `high`, as far as run times are known.
struct PredictedStart {
  Instant median, low;
  std::optional<Instant> high;  // nothing: beyond what the forecast covers
  bool operator==(const PredictedStart&) const = default;
};

struct Forecast {
  std::uint64_t version = 0;  // last event the state had seen
  Instant as_of;
  Instant until;                           // it is not known of who begins later
  std::map<JobId, PredictedStart> starts;  // of whom it is known
};

// Nothing is changed. Cost: bounded as `bounds` says, beside three copies of the state.
Forecast forecast(const State& state, const Policy& policy, Instant now, const ForecastBounds& bounds = {});

}  // namespace ym::engine
