// ArrivalForecast: how many jobs come in the next hour, and in each of the next 24.
//
// An hour ahead it is the mean of two that err differently: a regression of ln(1 + arrivals) on what came in the last
// ten minutes, hour, three hours and day, in this hour yesterday, and whether it is a weekend; and the median of what
// came in the past hours that began most alike. Both say what is typical, about the median: their sum over many hours
// is less than what comes, because of bursts. For totals ask DayForecast.
//
// Arrivals of a queue: one of these for each, fed with its jobs alone. Many queues have none in most hours, and then
// nothing beats saying none.
//
// Feed it in the order of time; what comes late counts as of the latest moment heard of. It can be asked at any time
// and knows only what came before then. Costs nothing a job and up to a millisecond an hour. Threads: one.
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
  double forget = 0.998;  // of the regression, an hour: a memory of about three weeks
  AlikeOptions alike{};
  std::int64_t settle_hours = 21 * 24;  // errors of the first ones say nothing about later ones
  std::size_t errors_kept = 28 * 24;
};

struct ArrivalsSaid {
  double regression = 0;
  std::optional<double> alike;  // nothing in the first week
  double typical = 0;           // the mean of both; of the regression alone while there is no other
  std::optional<Range> range;   // holds four times of five; nothing until enough was seen
  bool operator==(const ArrivalsSaid&) const = default;
};

class ArrivalForecast {
 public:
  // `since`: from the beginning of its day on nothing is missed, so that an hour without jobs is known to be one.
  explicit ArrivalForecast(Instant since, ArrivalOptions options = {});

  void submitted(Instant at);

  // From `now` on for an hour.
  ArrivalsSaid next_hour(Instant now);
  // Of the hour that `now` is in and the 23 after it, from what came before that hour.
  std::array<double, kHoursOfDay> next_day(Instant now);

 private:
  // What is seen at a moment of what came before it.
  struct View {
    std::vector<double> features;
    AlikeHours::Place place{};
  };
  void advance(Instant now);
  void close_hour();
  double came(Instant from, Instant to) const;
  View view(Instant now) const;
  ArrivalsSaid say(const View& view) const;

  ArrivalOptions options_;
  Instant latest_;
  std::int64_t first_hour_, hour_;  // the latter is not yet over
  std::deque<Instant> recent_;      // of the last day and this hour, in order
  RecursiveLeastSquares regression_;
  AlikeHours alike_;
  HoursOfDay hours_of_day_;
  ErrorBand band_;
  View begun_;                // at the beginning of this hour ...
  double said_at_begin_ = 0;  // ... and what was said then
};

}  // namespace ym::sim
