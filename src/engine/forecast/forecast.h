// Forecast: when each waiting job will start, if the world goes on as is expected.
//
// The engine that decides is run forward on copies of the state: what it admits runs for as long as it is
// expected to, what it stops leaves within its grace, and nobody submits anything. This is done three times,
// with run times that are short, usual and long; what comes out is a guess, and nothing is decided by it. What is said
// of it to people is wider where such guesses were too narrow lately: `said_at`.
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
  std::size_t looks = 4'000'000;  // at jobs that wait, of each run
  // Asked before each cycle; false: it ends there. Empty: it goes on.
  std::function<bool()> go_on{};
};

// What happens so close together is one change to it, a 32nd of the time ahead and 5 s at least: the farther away, the
// less is known of when it will be, and the coarser is the time. It makes the number of cycles grow with the logarithm
// of the time that is looked at: two weeks take some 320.
inline constexpr std::int64_t kGrains = 32;
inline constexpr Duration kFinest = seconds(5);

// As the runs have it: usually, and the earliest and the latest of the three.
struct PredictedStart {
  Instant median, low;
  std::optional<Instant> high;  // nothing: beyond what the forecast covers
  bool operator==(const PredictedStart&) const = default;
};

// Why nothing is known of when a job starts.
enum class NoStart : std::uint8_t {
  no_time_limit,     // it waits for others of which no end is expected: no limit, and like none that ran before
  out_of_contact,    // or for such that are not in contact
  beyond_horizon,    // it begins later than a forecast looks ahead
  not_looked_at,     // so many wait that the forecast did not get so far; or the job is newer than it
  nothing_expected,  // nothing that is expected lets it start
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

// How far the starts of a queue lay lately from what the runs had, in thousandths of the time ahead: the early end of
// the range is divided by the one, the late end multiplied by the other (start_trials.h).
struct StartMargins {
  std::int64_t early_milli = 1000, late_milli = 1000;
  bool operator==(const StartMargins&) const = default;
};

struct Forecast {
  std::uint64_t version = 0;  // last event the state had seen
  Instant as_of;
  Instant until;                                  // it is not known of who begins later
  std::optional<Instant> horizon{};               // to which all runs came, if they did
  std::map<JobId, PredictedStart> starts{};       // of whom it is known
  std::map<JobId, NoStart> without{};             // all others that wait for their turn
  Duration start_allowance = seconds(0);          // as the policy has it: what a start may take
  std::map<std::string, StartMargins> margins{};  // of queues of which something was learnt; `forecast` knows of none
};

// Nothing is changed. Cost: bounded as `bounds` says, beside three copies of the state.
Forecast forecast(const State& state, const Policy& policy, Instant now, const ForecastBounds& bounds = {});

// What is to be said at `now` of a start that the forecast has, to four of five of which it is meant to be true: as far
// apart as starts of that queue were lately, no closer than the forecast tells anything apart and a start takes, and
// not before now, as it has not been yet.
PredictedStart said_at(const Forecast& forecast, const std::string& queue, const PredictedStart& start, Instant now);

// The late end where a promise is to be made of it: as the runs have it, or later if starts of that queue were.
// Nothing: not known.
std::optional<Instant> careful_high(const Forecast& forecast, const std::string& queue, const PredictedStart& start);

}  // namespace ym::engine
