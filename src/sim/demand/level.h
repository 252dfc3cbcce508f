// The next value of a daily series: a level that follows the series, and the difference of weekends.
//
// On the scale ln(1 + value). The level moves towards each day by a part of the difference (simple exponential
// smoothing, Brown 1959). A weekend day differs by the median of the last eight weekend differences and a zero, so that
// one jump of the series does not count as a habit.
#pragma once

#include <cstdint>
#include <span>

namespace ym::sim {

struct DaySeries {
  std::span<const double> values;  // none negative
  std::int64_t first_day = 0;      // since 1970; day of the first value
  double step = 0.3;               // part of the difference, from 0 to 1
};

// Precondition: `of_day` is after the days of the series. 0 for an empty series.
double next_of_days(const DaySeries& series, std::int64_t of_day);

}  // namespace ym::sim
