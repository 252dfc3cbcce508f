// ArrivalForecast: how many jobs come in the next hour, and in each of the next 24.
//
// The next hour is the mean of two forecasts that err differently. One is a regression of ln(1 + arrivals) on the
// arrivals of the last ten minutes, hour, three hours and day, of this hour yesterday, and on whether it is a weekend.
// The other is the median of the past hours that began most similarly. Both forecast what is typical, about the median.
// Their sum over many hours is less than the real total, because of bursts. For totals use DayForecast.
//
// For arrivals of a queue: use one of these for each queue, and feed it with the jobs of that queue. Many queues have
// no jobs in most hours. No forecast is better there than zero.
//
// Feed it in the order of time. A late job counts at the latest moment that is known. It can be asked at any time and
// uses only what came before that. Costs: almost none for a job, up to a millisecond for an hour. Threads: one.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "sim/demand/alike_hours.h"
#include "sim/demand/error_band.h"
#include "sim/demand/hours_of_day.h"
#include "sim/demand/least_squares.h"

namespace ym::sim {

struct ArrivalOptions {
  double forget = 0.998;  // of the regression, for each hour: a memory of about three weeks
  AlikeOptions alike{};
  std::int64_t settle_hours = 21 * 24;  // errors of the first hours do not count
  std::size_t errors_kept = 28 * 24;
};

struct ArrivalsPrediction {
  double regression = 0;
  std::optional<double> alike;  // nothing in the first week
  double typical = 0;           // the mean of both; the regression alone while there is no other
  std::optional<Range> range;   // holds four times of five; nothing while too few errors are known
  bool operator==(const ArrivalsPrediction&) const = default;
};

class ArrivalForecast {
 public:
  // `since`: no job is missing from the beginning of this day on, so an hour without jobs really had none.
  explicit ArrivalForecast(Instant since, ArrivalOptions options = {});

  void submitted(Instant at);

  // For one hour, from `now` on.
  ArrivalsPrediction next_hour(Instant now);
  // For the hour of `now` and the 23 after it, from the jobs before that hour.
  std::array<double, kHoursOfDay> next_day(Instant now);

 private:
  // The inputs that are known at a moment.
  struct View {
    std::vector<double> features;
    AlikeHours::Place place{};
  };
  void advance(Instant now);
  void close_hour();
  double actual(Instant from, Instant to) const;
  View view(Instant now) const;
  ArrivalsPrediction predict(const View& view) const;

  ArrivalOptions options_;
  Instant latest_;
  std::int64_t first_hour_, hour_;  // hour_ is not over yet
  std::deque<Instant> recent_;      // jobs of the last day and this hour, in order
  RecursiveLeastSquares regression_;
  AlikeHours alike_;
  HoursOfDay hours_of_day_;
  ErrorBand band_;
  View begun_;                     // at the beginning of this hour ...
  double predicted_at_begin_ = 0;  // ... and the forecast of that moment
};

}  // namespace ym::sim
