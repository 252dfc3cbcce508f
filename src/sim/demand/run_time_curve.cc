#include "sim/demand/run_time_curve.h"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace ym::sim {
namespace {

constexpr double kHalfWindow = 1;  // a factor of 2 in both directions
constexpr double kTiny = 1e-9, kTinyProbability = 1e-12;

// At the same time, ended jobs come first: a running job may run longer.
bool before(const RunTimePoint& a, const RunTimePoint& b) {
  return std::tie(a.log2_s, a.running, a.weight) < std::tie(b.log2_s, b.running, b.weight);
}

}  // namespace

RunTimeCurve::RunTimeCurve(std::vector<RunTimePoint> points) {
  std::ranges::sort(points, before);
  double left = 0, alive = 1;
  for (const auto& point : points) left += point.weight;
  for (const auto& point : points) {
    if (!point.running && left > 0) {
      const double probability = alive * std::min(1.0, point.weight / left);
      masses_.push_back({point.log2_s, probability});
      alive -= probability;
    }
    left -= point.weight;
  }
}

std::optional<RunTimePrediction> RunTimeCurve::of_new_job() const { return predicted(masses_); }

std::optional<RunTimePrediction> RunTimeCurve::predicted(const std::vector<Mass>& masses) {
  double sum = 0;
  for (const auto& mass : masses) sum += mass.probability;
  if (masses.empty() || sum <= 0) return std::nullopt;
  const Window window = likeliest_window(masses);
  return RunTimePrediction{.log2_s = centre_of(masses, window),
                           .confidence = std::min(1.0, window.probability),
                           .p10 = quantile(masses, 0.1 * sum),
                           .p50 = quantile(masses, 0.5 * sum),
                           .p90 = quantile(masses, 0.9 * sum)};
}

double RunTimeCurve::quantile(const std::vector<Mass>& masses, double q) {
  double so_far = 0;
  for (const auto& mass : masses) {
    so_far += mass.probability;
    if (so_far >= q) return mass.log2_s;
  }
  return masses.back().log2_s;
}

// Of two equally likely windows, the one with shorter times.
RunTimeCurve::Window RunTimeCurve::likeliest_window(const std::vector<Mass>& masses) {
  Window best;
  double inside = 0;
  std::size_t end = 0;
  for (std::size_t begin = 0; begin < masses.size(); ++begin) {
    if (begin > 0) inside -= masses[begin - 1].probability;
    const double last = masses[begin].log2_s + 2 * kHalfWindow + kTiny;
    for (; end < masses.size() && masses[end].log2_s <= last; ++end) inside += masses[end].probability;
    if (inside > best.probability + kTinyProbability) best = {begin, end, inside};
  }
  return best;
}

// The mean of two points: the nearest point to the median that covers the whole window, and the median itself. The
// first hits more often, the second is closer.
double RunTimeCurve::centre_of(const std::vector<Mass>& masses, const Window& window) {
  double so_far = 0;
  std::size_t middle = window.begin;
  for (; middle + 1 < window.end; ++middle) {
    so_far += masses[middle].probability;
    if (so_far >= window.probability / 2) break;
  }
  const double median = masses[middle].log2_s;
  const double shortest = masses[window.begin].log2_s, longest = masses[window.end - 1].log2_s;
  // For a window of the full width, rounding can make the upper limit smaller than the lower one.
  const double least = longest - kHalfWindow;
  return (median + std::clamp(median, least, std::max(least, shortest + kHalfWindow))) / 2;
}

}  // namespace ym::sim
