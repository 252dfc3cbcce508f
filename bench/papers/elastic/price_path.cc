#include "papers/elastic/price_path.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ym::sim::elastic {

std::size_t TimeGrid::slot_at(double time_s) const {
  return std::min(slots() - 1, static_cast<std::size_t>(time_s / slot_s));
}

std::size_t TimeGrid::nearest_point(double time_s) const {
  return static_cast<std::size_t>(std::llround(time_s / step_s));
}

void TimeGrid::add_held(double from_s, double to_s, std::uint32_t gpus, std::vector<double>& held) const {
  while (from_s < to_s) {
    const std::size_t slot = slot_at(from_s);
    const double until_s = slot + 1 == slots() ? to_s : std::min(to_s, static_cast<double>(slot + 1) * slot_s);
    held[slot] += (until_s - from_s) * gpus / slot_s;
    from_s = until_s;
  }
}

PricePath::PricePath(const TimeGrid& grid, std::vector<double> prices)
    : grid_(grid), prices_(std::move(prices)), paid_{0} {
  for (std::size_t point = 0; point < grid_.points(); ++point) {
    const double price = prices_[grid_.slot_at(static_cast<double>(point) * grid_.step_s)];
    paid_.push_back(paid_.back() + grid_.step_s * price);
  }
  const auto last = std::ranges::find(paid_, paid_.back());
  paid_.erase(last + 1, paid_.end());
}

double PricePath::total() const {
  double sum = 0;
  for (const double price : prices_) sum += price * grid_.slot_s;
  return sum;
}

}  // namespace ym::sim::elastic
