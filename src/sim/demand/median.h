// Median of a list of values.
#pragma once

#include <algorithm>
#include <vector>

namespace ym::sim {

// The mean of the two middle ones for an even number; 0 if there are none.
inline double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  const auto n = values.size();
  return n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

}  // namespace ym::sim
