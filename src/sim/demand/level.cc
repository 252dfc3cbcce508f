#include "sim/demand/level.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <utility>
#include <vector>

#include "sim/demand/calendar.h"
#include "sim/demand/median.h"

namespace ym::sim {
namespace {

constexpr std::size_t kWeekendDaysKept = 8;

double usual_difference(const std::deque<double>& differences) {
  std::vector<double> values(differences.begin(), differences.end());
  values.push_back(0);
  return median(std::move(values));
}

}  // namespace

double next_of_days(const DaySeries& series, std::int64_t of_day) {
  if (series.values.empty()) return 0;
  double level = std::log1p(series.values.front()), weekend = 0;
  std::deque<double> differences;
  std::int64_t day = series.first_day;
  for (const double value : series.values.subspan(1)) {
    const double x = std::log1p(value);
    day += 1;
    if (is_weekend(day)) {
      differences.push_back(x - level);
      if (differences.size() > kWeekendDaysKept) differences.pop_front();
      weekend = usual_difference(differences);
    }
    level += series.step * (x - (is_weekend(day) ? weekend : 0) - level);
  }
  return std::max(0.0, std::expm1(level + (is_weekend(of_day) ? weekend : 0)));
}

}  // namespace ym::sim
