#include "sim/demand/least_squares.h"

#include "base/assert.h"

namespace ym::sim {

RecursiveLeastSquares::RecursiveLeastSquares(std::size_t features, double forget)
    : n_(features), forget_(forget), weights_(features, 0.0), covariance_(features * features, 0.0) {
  YM_ASSERT(forget > 0 && forget <= 1);
  for (std::size_t i = 0; i < n_; ++i) covariance_[i * n_ + i] = 1;
}

double RecursiveLeastSquares::predict(std::span<const double> x) const {
  YM_ASSERT(x.size() == n_);
  double y = 0;
  for (std::size_t i = 0; i < n_; ++i) y += weights_[i] * x[i];
  return y;
}

void RecursiveLeastSquares::learn(std::span<const double> x, double y) {
  const double error = y - predict(x);
  std::vector<double> px(n_, 0.0);
  double scale = forget_;
  for (std::size_t i = 0; i < n_; ++i) {
    for (std::size_t j = 0; j < n_; ++j) px[i] += covariance_[i * n_ + j] * x[j];
  }
  for (std::size_t i = 0; i < n_; ++i) scale += x[i] * px[i];
  for (std::size_t i = 0; i < n_; ++i) weights_[i] += px[i] / scale * error;
  for (std::size_t i = 0; i < n_; ++i) {
    for (std::size_t j = 0; j < n_; ++j) {
      double& p = covariance_[i * n_ + j];
      p = (p - px[i] * px[j] / scale) / forget_;
    }
  }
}

}  // namespace ym::sim
