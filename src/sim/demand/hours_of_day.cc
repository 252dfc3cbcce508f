#include "sim/demand/hours_of_day.h"

#include <algorithm>
#include <cmath>

namespace ym::sim {
namespace {

constexpr double kLevelHalfLifeHours = 24;
constexpr double kHourStep = 0.1, kKindStep = 0.2;

std::size_t place_in_day(std::int64_t hour) { return static_cast<std::size_t>(hour % kHoursOfDay); }
std::size_t kind_of(std::int64_t hour) { return is_weekend(hour / kHoursOfDay) ? 1 : 0; }

}  // namespace

double HoursOfDay::effect_of(std::int64_t hour) const { return hours_[place_in_day(hour)] + kinds_[kind_of(hour)]; }

void HoursOfDay::learn(std::int64_t hour, double actual) {
  const double x = std::log1p(actual);
  double& effect = hours_[place_in_day(hour)];
  double& kind = kinds_[kind_of(hour)];
  if (hour % kHoursOfDay == 0) level_at_midnight_ = level_, differed_ = 0;
  differed_ += (x - level_at_midnight_ - effect) / static_cast<double>(kHoursOfDay);
  effect += kHourStep * (x - level_at_midnight_ - kind - effect);
  const double keep = std::exp2(-1 / kLevelHalfLifeHours);
  level_ = keep * level_ + (1 - keep) * x;
  if (hour % kHoursOfDay == kHoursOfDay - 1) kind += kKindStep * (differed_ - kind);
}

std::array<double, kHoursOfDay> HoursOfDay::predict(std::int64_t hour) const {
  std::array<double, kHoursOfDay> predicted{};
  for (std::size_t i = 0; i < predicted.size(); ++i) {
    predicted[i] = std::expm1(std::max(0.0, level_ + effect_of(hour + static_cast<std::int64_t>(i))));
  }
  return predicted;
}

}  // namespace ym::sim
