#include "papers/placement/curve.h"

#include <algorithm>
#include <cmath>

namespace ym::sim::placement {
namespace {

// The least whole number of thousandths from which on the curve is `score`. Far from whole numbers except at 50,
// where it is 0, so that no rounding of the logarithm can be seen.
double least_milli(double score) { return 1000 * std::log(score / (100 - score)); }

// Sums of which the quotient, rounded towards zero, is at least `step`, begin there.
std::int64_t least_sum(std::int64_t step, std::int64_t divisor) {
  return step > 0 ? step * divisor : (step - 1) * divisor + 1;
}

}  // namespace

Curve::Curve(std::int64_t divisor, bool rounds) {
  for (std::size_t i = 0; i < least_.size(); ++i) {
    const double least = least_milli(static_cast<double>(i + 1));
    least_[i] = rounds ? least_sum(static_cast<std::int64_t>(std::ceil(least)), divisor)
                       : static_cast<std::int64_t>(std::ceil(least * static_cast<double>(divisor)));
  }
}

std::int64_t Curve::cost(std::int64_t gain) const {
  return 100 - (std::ranges::upper_bound(least_, gain) - least_.begin());
}

}  // namespace ym::sim::placement
