// Arrivals in each of the next 24 hours: a level, an effect of the hour of the day, and an effect of the weekend.
//
// All on the scale ln(1 + count), where bursts do not weigh too much. The level has a half-life of one day. An effect
// moves by a tenth (hour) or a fifth (kind of day) towards the difference of the last day from the level at that day's
// beginning. Simple exponential smoothing with seasonal terms: Holt 1957, Winters 1960.
#pragma once

#include <array>
#include <cstdint>

#include "sim/demand/calendar.h"

namespace ym::sim {

class HoursOfDay {
 public:
  // Precondition: hours come in order, each once, beginning with the first hour of a day.
  void learn(std::int64_t hour, double actual);
  // For `hour` and the 23 after it. At the beginning of a day it is the forecast of that day.
  std::array<double, kHoursOfDay> predict(std::int64_t hour) const;

 private:
  double effect_of(std::int64_t hour) const;

  double level_ = 0, level_at_midnight_ = 0;
  double differed_ = 0;  // this day's difference so far beyond the effects of its hours, over 24 hours
  std::array<double, kHoursOfDay> hours_{};
  std::array<double, 2> kinds_{};  // of weekdays, of weekends
};

}  // namespace ym::sim
