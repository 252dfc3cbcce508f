#include "sim/demand/error_band.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace ym::sim {
namespace {

constexpr double kBeyondEachSide = 0.1;
constexpr std::size_t kFewestErrors = 10;

}  // namespace

void ErrorBand::add(double predicted, double actual) {
  errors_.push_back(std::log((1 + actual) / (1 + predicted)));
  if (errors_.size() > kept_) errors_.pop_front();
}

std::optional<Range> ErrorBand::around(double predicted) const {
  if (errors_.size() < kFewestErrors) return std::nullopt;
  std::vector<double> sorted(errors_.begin(), errors_.end());
  std::ranges::sort(sorted);
  const auto n = sorted.size();
  const auto k = std::max<std::size_t>(1, static_cast<std::size_t>(kBeyondEachSide * static_cast<double>(n + 1)));
  const double low = (1 + predicted) * std::exp(sorted[k - 1]) - 1;
  const double high = (1 + predicted) * std::exp(sorted[n - k]) - 1;
  return Range{std::max(0.0, low), std::max(0.0, high)};
}

}  // namespace ym::sim
