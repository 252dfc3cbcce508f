#include "papers/fairness/rank_correlation.h"

#include <cmath>
#include <cstddef>

#include "base/assert.h"

namespace ym::sim::fairness {
namespace {

int sign(double value) { return value > 0 ? 1 : value < 0 ? -1 : 0; }

}  // namespace

double kendall_tau(std::span<const double> one, std::span<const double> other) {
  YM_ASSERT(one.size() == other.size());
  double agree = 0, untied_one = 0, untied_other = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const int in_one = sign(one[i] - one[j]), in_other = sign(other[i] - other[j]);
      agree += in_one * in_other;
      untied_one += in_one * in_one;
      untied_other += in_other * in_other;
    }
  }
  const double pairs = std::sqrt(untied_one * untied_other);
  return pairs > 0 ? agree / pairs : 0;
}

}  // namespace ym::sim::fairness
