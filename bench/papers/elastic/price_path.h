// PricePath: what a GPU costs at each time, so that all GPUs together suffice (price_bound.h).
#pragma once

#include <cstdint>
#include <vector>

namespace ym::sim::elastic {

struct TimeGrid {
  double step_s = 20;      // between points
  double slot_s = 300;     // in which a price holds; a whole number of steps
  double end_s = 130'000;  // after which GPUs cost nothing

  std::size_t points() const { return static_cast<std::size_t>(end_s / step_s); }
  std::size_t slots() const { return static_cast<std::size_t>(end_s / slot_s) + 1; }
  // The last slot goes on for ever.
  std::size_t slot_at(double time_s) const;
  std::size_t nearest_point(double time_s) const;
  // Adds `gpus` that are held in between to `held`, by slot, on the mean over the slot.
  void add_held(double from_s, double to_s, std::uint32_t gpus, std::vector<double>& held) const;
};

// A point of a grid, and a part of the step after it.
struct GridPlace {
  std::size_t point = 0;
  double part = 0;
};
inline GridPlace grid_place(double steps) {
  const auto point = static_cast<std::size_t>(steps);
  return {.point = point, .part = steps - static_cast<double>(point)};
}

// Between values at points, of which the last holds for all later ones.
template <class T>
double value_between(const std::vector<T>& values, std::size_t point, double part) {
  if (point + 1 >= values.size()) return values.back();
  const double here = values[point];
  return here + part * (static_cast<double>(values[point + 1]) - here);
}

class PricePath {
 public:
  // Prices of a GPU for a second, in seconds of completion time; one for each slot, not negative.
  PricePath(const TimeGrid& grid, std::vector<double> prices);

  const TimeGrid& grid() const { return grid_; }
  const std::vector<double>& prices() const { return prices_; }
  // Of a GPU for all the time.
  double total() const;
  // From the beginning to each point, up to the first point after which nothing costs anything.
  const std::vector<double>& paid() const { return paid_; }

 private:
  TimeGrid grid_;
  std::vector<double> prices_;
  std::vector<double> paid_;
};

}  // namespace ym::sim::elastic
