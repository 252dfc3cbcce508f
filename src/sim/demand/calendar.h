// Hours and days of history: whole ones since 1970, in UTC, so that "an hour" and "a day" mean the same in all
// forecasts.
#pragma once

#include <cstdint>

#include "base/time.h"

namespace ym::sim {

inline constexpr std::int64_t kHourMs = 3'600'000, kDayMs = 86'400'000;
inline constexpr std::int64_t kHoursOfDay = 24;

// Precondition of all: not before 1970.
constexpr std::int64_t hour_of(Instant at) { return at.ms / kHourMs; }
constexpr std::int64_t day_of(Instant at) { return at.ms / kDayMs; }
constexpr Instant begin_of_hour(std::int64_t hour) { return {hour * kHourMs}; }
constexpr Instant begin_of_day(std::int64_t day) { return {day * kDayMs}; }

// Saturday or Sunday; 1970-01-01 was a Thursday.
constexpr bool is_weekend(std::int64_t day) { return (day + 3) % 7 >= 5; }

}  // namespace ym::sim
