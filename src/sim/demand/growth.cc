#include "sim/demand/growth.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace ym::sim {
namespace {

constexpr std::size_t kFewestDays = 14;
constexpr double kNormal90 = 1.2816;  // a tenth of a normal distribution is above
constexpr double kMostAlike = 0.95;   // so that days that are all alike do not count as no days

struct Line {
  double mean_x = 0, mean_y = 0, slope = 0, spread_x = 0;
  double at(double x) const { return mean_y + slope * (x - mean_x); }
};

Line line_through(std::span<const double> values) {
  const auto n = static_cast<double>(values.size());
  Line line{.mean_x = (n - 1) / 2};
  for (const double value : values) line.mean_y += value / n;
  double products = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double x = static_cast<double>(i) - line.mean_x;
    line.spread_x += x * x;
    products += x * (values[i] - line.mean_y);
  }
  line.slope = products / line.spread_x;
  return line;
}

double slope_error(std::span<const double> values, const Line& line) {
  double squares = 0, products = 0, before = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double left = values[i] - line.at(static_cast<double>(i));
    squares += left * left;
    products += left * before;
    before = left;
  }
  if (squares <= 0) return 0;
  const auto n = static_cast<double>(values.size());
  const double alike = std::clamp(products / squares, 0.0, kMostAlike);
  const double days = std::max(3.0, n * (1 - alike) / (1 + alike));
  return std::sqrt(squares / (days - 2) / line.spread_x);
}

std::optional<std::int64_t> days_until(const Trend& trend, double a_day, const OutgrowOptions& options) {
  if (trend.at_end > options.gpus) return 0;
  if (a_day <= 0) return std::nullopt;
  const double days = std::floor((options.gpus - trend.at_end) / a_day) + 1;
  if (days > static_cast<double>(options.within_days)) return std::nullopt;
  return static_cast<std::int64_t>(days);
}

}  // namespace

Result<Trend> trend_of_days(std::span<const double> values) {
  if (values.size() < kFewestDays) {
    return fail(ErrorCode::invalid, fmt::format("a trend needs {} days; there are {}", kFewestDays, values.size()));
  }
  const Line line = line_through(values);
  return Trend{.at_end = line.at(static_cast<double>(values.size() - 1)),
               .a_day = line.slope,
               .a_day_error = slope_error(values, line)};
}

Result<Outgrown> when_outgrown(std::span<const double> values, const OutgrowOptions& options) {
  const auto trend = trend_of_days(values);
  if (!trend) return std::unexpected(trend.error());
  const double flattest = trend->a_day - kNormal90 * trend->a_day_error;
  const double steepest = trend->a_day + kNormal90 * trend->a_day_error;
  Outgrown outgrown{.trend = *trend, .within_days = options.within_days};
  outgrown.earliest_in_days = days_until(*trend, steepest, options);
  outgrown.latest_in_days = days_until(*trend, flattest, options);
  if (flattest > 0 || trend->at_end > options.gpus) outgrown.in_days = days_until(*trend, trend->a_day, options);
  return outgrown;
}

std::string in_words(const Outgrown& outgrown) {
  if (!outgrown.in_days) return fmt::format("not within {} days", outgrown.within_days);
  if (*outgrown.in_days == 0) return "now";
  const auto latest = outgrown.latest_in_days ? fmt::format("to {}", *outgrown.latest_in_days) : "or much later";
  return fmt::format("in {} days ({} {})", *outgrown.in_days, outgrown.earliest_in_days.value_or(0), latest);
}

}  // namespace ym::sim
