// Of figures of some runs: mean and standard deviation.
#pragma once

#include <cmath>
#include <span>

namespace ym::sim::placement {

struct Spread {
  double mean = 0;
  double deviation = 0;  // of the sample; 0 of fewer than two
};

inline Spread spread_of(std::span<const double> values) {
  Spread spread;
  if (values.empty()) return spread;
  for (const double value : values) spread.mean += value / static_cast<double>(values.size());
  if (values.size() < 2) return spread;
  double squares = 0;
  for (const double value : values) squares += (value - spread.mean) * (value - spread.mean);
  spread.deviation = std::sqrt(squares / static_cast<double>(values.size() - 1));
  return spread;
}

}  // namespace ym::sim::placement
