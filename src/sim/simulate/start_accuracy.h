// How honest forecasts were: whether four of five jobs started within the range that was said of them, how wide that
// was, and how far off the middle of it.
//
// Only the later half of what was said counts: of the first it was learnt. Beside what was said, which went on
// learning, stands what would have been said with what was learnt on the first half alone, and with nothing learnt.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/simulate/start_forecasts.h"
#include "sim/simulate/summary.h"

namespace ym::sim {

struct RangeFigures {
  std::int64_t inside = 0, early = 0, late = 0;  // jobs that started within it, before, after
  std::int64_t open = 0;                         // of them, whose range had no late end
  Distribution widths_ms;                        // of the others
  Distribution widths_milli;  // of the others, in thousandths of the time to its middle, and of a minute at least

  std::int64_t jobs() const { return inside + early + late; }
  void add(const engine::PredictedStart& said, Instant said_at, Instant started_at);
};

struct StartAccuracy {
  std::int64_t made = 0;                              // forecasts
  std::int64_t ahead = 0;                             // of them, that had the job start later than at once
  std::map<engine::NoStart, std::int64_t> none;       // or not
  std::int64_t waiting = 0;                           // of the later half of those, whose job has not started yet
  RangeFigures said, learnt_before, plain;            // of the others
  std::map<std::int64_t, RangeFigures> said_by_wait;  // by the time to the middle, up to so many seconds; 0: longer
  Distribution errors_milli;  // of the middle, in thousandths of the time that it took, and of a minute at least
  std::map<std::string, engine::StartMargins> margins;  // with the last forecast
};

// `forecasts`: in the order of time.
StartAccuracy accuracy_of(const std::vector<StartForecast>& forecasts);

}  // namespace ym::sim
