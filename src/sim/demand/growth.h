// Growth: whether the daily demand for GPUs rises, and when it will exceed the supply.
//
// A straight line by least squares. The error of its slope allows for days that resemble the day before: the number of
// days counts as n (1 - r) / (1 + r), where r is the correlation of a day's residual with that of the day before
// (Santer et al., "Statistical significance of trends", 2000). A line is good for weeks. It does not know about new
// teams or holidays.
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

// Errors: `invalid`: there are fewer than 14 values, which is two weeks of days.
Result<Trend> trend_of_days(std::span<const double> values);

struct OutgrowOptions {
  double gpus = 0;                 // mean that a day may use: the supply times an acceptable utilisation
  std::int64_t within_days = 180;  // how far to look ahead
};

struct Outgrown {
  Trend trend;
  std::int64_t within_days = 0;
  // Days from the last one until the line is above. Nothing: later than `within_days`, or the slope may be zero.
  std::optional<std::int64_t> in_days{};
  // For the steepest and the flattest slope of the 80 % interval; nothing for the latter: perhaps never.
  std::optional<std::int64_t> earliest_in_days{}, latest_in_days{};
};

// `values`: GPUs in use on each day, from DayForecast.
Result<Outgrown> when_outgrown(std::span<const double> values, const OutgrowOptions& options);

// "in 40 days (25 to 95)", "not within 180 days", for users.
std::string in_words(const Outgrown& outgrown);

}  // namespace ym::sim
