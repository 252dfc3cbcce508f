// Accuracy of forecasts of starts: whether four of five jobs started within the forecast range, how wide the range was,
// and how far its middle was off.
//
// Only the later half of the forecasts counts. The margins were learnt on the first half. The forecasts as made used
// margins that were updated further. For comparison there are forecasts with the margins of the first half, and with
// none.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/simulate/start_forecasts.h"
#include "sim/simulate/summary.h"

namespace ym::sim {

struct RangeFigures {
  std::int64_t inside = 0, early = 0, late = 0;  // jobs that started within the range, before it, after it
  std::int64_t open = 0;                         // of them: ranges without an end
  Distribution widths_ms;                        // of ranges with an end
  Distribution widths_milli;  // of ranges with an end, in thousandths of the time to the middle (at least one minute)

  std::int64_t jobs() const { return inside + early + late; }
  void add(const engine::PredictedStart& predicted, Instant predicted_at, Instant started_at);
};

struct StartAccuracy {
  std::int64_t made = 0;                         // number of forecasts
  std::int64_t ahead = 0;                        // of them: forecasts of a later start than at once
  std::map<engine::NoStart, std::int64_t> none;  // forecasts without a start, by the reason
  std::int64_t waiting = 0;                      // of the later half of `ahead`: jobs that have not started yet
  RangeFigures predicted, learnt_before, plain;  // of the other jobs
  std::map<std::int64_t, RangeFigures>
      predicted_by_wait;      // by the time to the middle, up to this many seconds; 0: longer
  Distribution errors_milli;  // of the middle, in thousandths of the actual wait (at least one minute)
  std::map<std::string, engine::StartMargins> margins;  // at the last forecast
};

// `forecasts`: in the order of time.
StartAccuracy accuracy_of(const std::vector<StartForecast>& forecasts);

}  // namespace ym::sim
