// Recursive least squares: a linear regression that learns one observation at a time and forgets old ones.
//
// Minimises the sum of forget^age * (y - w x)^2, with a prior of zero weights and unit covariance. Ljung, "System
// Identification", 2nd ed. 1999, section 11.2. Costs n^2 for n features.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace ym::sim {

class RecursiveLeastSquares {
 public:
  // Precondition: 0 < forget <= 1.
  RecursiveLeastSquares(std::size_t features, double forget);

  // Precondition of both: as many features as weights.
  double predict(std::span<const double> x) const;
  void learn(std::span<const double> x, double y);

 private:
  std::size_t n_;
  double forget_;
  std::vector<double> weights_, covariance_;  // covariance_ is n x n, row by row
};

}  // namespace ym::sim
