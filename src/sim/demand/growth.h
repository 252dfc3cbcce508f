// Growth: whether the demand for GPUs rises by the day, and when it will be more than there is.
//
// A straight line by least squares. The error of its slope allows for days that are like the day before: the number of
// days counts as n (1 - r) / (1 + r), r being the correlation of what is left with that of the day before (Santer et
// al., "Statistical significance of trends", 2000). A line is for weeks; it knows of no new teams and no holidays.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/result.h"

namespace ym::sim {

struct Trend {
  double at_end = 0;                  // of the line, on the last day
  double a_day = 0, a_day_error = 0;  // slope and its standard error
};

// `invalid`: fewer than 14 values, two weeks of days.
Result<Trend> trend_of_days(std::span<const double> values);

struct OutgrowOptions {
  double gpus = 0;                 // how many a day may use in the mean: those there are, times a bearable utilisation
  std::int64_t within_days = 180;  // no longer than that is looked ahead
};

struct Outgrown {
  Trend trend;
  std::int64_t within_days = 0;
  // Days from the last one until the line is above. Nothing: not within those days, or the slope may as well be none.
  std::optional<std::int64_t> in_days{};
  // Of slopes within the 80 % interval the steepest and the flattest; nothing of the latter: perhaps not at all.
  std::optional<std::int64_t> earliest_in_days{}, latest_in_days{};
};

// `values`: GPUs in use of each day, as DayForecast has them.
Result<Outgrown> when_outgrown(std::span<const double> values, const OutgrowOptions& options);

// "in 40 days (25 to 95)", "not within 180 days", for people.
std::string in_words(const Outgrown& outgrown);

}  // namespace ym::sim
