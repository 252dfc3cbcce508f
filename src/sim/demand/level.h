// What comes next in a series of days: a level that follows it, and what weekends differ from it by.
//
// On the scale ln(1 + value). The level moves a part of the way to each day (simple exponential smoothing, Brown 1959);
// a weekend day differs by the median of what the last eight of them did and of one that did not, so that a jump of the
// series is not taken for a habit.
#pragma once

#include <cstdint>
#include <span>

namespace ym::sim {

struct DaySeries {
  std::span<const double> values;  // none negative
  std::int64_t first_day = 0;      // since 1970; that of the first value
  double step = 0.3;               // the part of the way, of 1
};

// Precondition: `of_day` is after those of the series. 0 of an empty series.
double next_of_days(const DaySeries& series, std::int64_t of_day);

}  // namespace ym::sim
