// What comes in each of the next 24 hours: a level, what an hour of the day differs by, what a weekend differs by.
//
// All on the scale ln(1 + count), where bursts weigh no more than they should. The level forgets half of itself in a
// day; an effect moves a tenth (hour) or a fifth (kind of day) towards what the day just over differed by from the
// level at its beginning. Simple exponential smoothing with seasonal terms: Holt 1957, Winters 1960.
#pragma once

#include <array>
#include <cstdint>

#include "sim/demand/calendar.h"

namespace ym::sim {

class HoursOfDay {
 public:
  // Precondition: hours come in their order, each once, from the first of a day on.
  void learn(std::int64_t hour, double came);
  // Of `hour` and those after it. Said at the beginning of a day it is a day's forecast.
  std::array<double, kHoursOfDay> predict(std::int64_t hour) const;

 private:
  double effect_of(std::int64_t hour) const;

  double level_ = 0, level_at_midnight_ = 0;
  double differed_ = 0;  // by which this day differed so far, beyond its hours' effects, over 24 hours
  std::array<double, kHoursOfDay> hours_{};
  std::array<double, 2> kinds_{};  // of weekdays, of weekends
};

}  // namespace ym::sim
