// Forecast: when each waiting job will start, if everything goes as expected.
//
// The engine that decides is run forward on copies of the state: a job runs for its expected time, a preempted job
// stops within its grace, and no job is submitted. There are three runs, with short, usual and long run times. The
// result is a guess, and no decision uses it. What users see is wider where such guesses were too narrow in the recent
// past: `adjusted_at`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "engine/engine.h"

namespace ym::engine {

struct ForecastBounds {
  Duration horizon = hours(14 * 24);
  std::size_t cycles = 400;       // of each run
  std::size_t looks = 4'000'000;  // at waiting jobs, of each run
  // Called before each cycle; false: the run ends there. Empty: it goes on.
  std::function<bool()> go_on{};
};

// Events within this interval are one change to the forecast: a 32nd of the time ahead, at least 5 s. The farther
// ahead, the less certain is a time, so the grain is coarser. The number of cycles grows with the logarithm of the
// horizon: two weeks take some 320.
inline constexpr std::int64_t kGrains = 32;
inline constexpr Duration kFinest = seconds(5);

// From the runs: the usual one, and the earliest and latest of the three.
struct PredictedStart {
  Instant median, low;
  std::optional<Instant> high;  // nothing: beyond what the forecast covers
  bool operator==(const PredictedStart&) const = default;
};

// Why the start of a job is not known.
enum class NoStart : std::uint8_t {
  no_time_limit,     // it waits for jobs without a limit and without similar past jobs
  out_of_contact,    // it waits for jobs with which contact is lost
  beyond_horizon,    // it starts after the forecast's horizon
  not_looked_at,     // a bound of the forecast was reached first; or the job is newer than it
  nothing_expected,  // no expected event lets it start
};
constexpr std::string_view to_string(NoStart value) {
  switch (value) {
    case NoStart::no_time_limit: return "no-time-limit";
    case NoStart::out_of_contact: return "out-of-contact";
    case NoStart::beyond_horizon: return "beyond-horizon";
    case NoStart::not_looked_at: return "not-looked-at";
    case NoStart::nothing_expected: return "nothing-expected";
  }
  return {};
}

// How far recent starts of a queue were from the predicted ranges, in thousandths of the time ahead. The early end of a
// range is divided by `early_milli`, the late end is multiplied by `late_milli` (start_trials.h).
struct StartMargins {
  std::int64_t early_milli = 1000, late_milli = 1000;
  bool operator==(const StartMargins&) const = default;
};

struct Forecast {
  std::uint64_t version = 0;  // the state's last event
  Instant as_of;
  Instant until;                                  // later starts are not known
  std::optional<Instant> horizon{};               // if the usual and the slow run reached it
  std::map<JobId, PredictedStart> starts{};       // where known
  std::map<JobId, NoStart> without{};             // all other queued jobs
  Duration start_allowance = seconds(0);          // the policy's: how long a start may take
  std::map<std::string, StartMargins> margins{};  // of queues with learnt margins; `forecast` leaves it empty
};

// Changes nothing. Cost: bounded by `bounds`, and three copies of the state.
Forecast forecast(const State& state, const Policy& policy, Instant now, const ForecastBounds& bounds = {});

// The range to show at `now` for a predicted start. It is meant to hold for four of five jobs. It is as wide as recent
// starts of that queue require, no narrower than the forecast's grain plus the time that a start takes, and not before
// `now`.
PredictedStart adjusted_at(const Forecast& forecast, const std::string& queue, const PredictedStart& start,
                           Instant now);

// The late end for a promise: the predicted one, or a later one if starts of that queue were later. Nothing: not known.
std::optional<Instant> late_end_of(const Forecast& forecast, const std::string& queue, const PredictedStart& start);

}  // namespace ym::engine
