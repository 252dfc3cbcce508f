#include "sim/demand/alike_hours.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "sim/demand/median.h"

namespace ym::sim {
namespace {

double distance(const AlikeHours::Place& a, const AlikeHours::Place& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

}  // namespace

void AlikeHours::learn(const Place& place, double actual) {
  hours_.push_back({place, actual});
  if (hours_.size() > options_.kept) hours_.pop_front();
}

std::optional<double> AlikeHours::predict(const Place& place) const {
  if (hours_.empty() || hours_.size() < options_.fewest) return std::nullopt;
  std::vector<std::pair<double, std::size_t>> near;  // distance, how long ago
  near.reserve(hours_.size());
  for (std::size_t i = 0; i < hours_.size(); ++i) {
    near.emplace_back(distance(hours_[i].place, place), hours_.size() - 1 - i);
  }
  const auto count = std::clamp<std::size_t>(options_.nearest, 1, near.size());
  std::ranges::nth_element(near, near.begin() + static_cast<std::ptrdiff_t>(count - 1));
  std::vector<double> actual;
  for (std::size_t i = 0; i < count; ++i) actual.push_back(hours_[hours_.size() - 1 - near[i].second].actual);
  return median(std::move(actual));
}

}  // namespace ym::sim
