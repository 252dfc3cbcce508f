// An interval of 80 % for the next forecast, from the errors of recent forecasts.
//
// Errors are ln((1 + actual) / (1 + forecast)), because these forecasts are wrong by factors. Of the newest n errors,
// the k-th smallest and the k-th largest are put around the next forecast, with k = floor(0.1 (n + 1)), at least 1. If
// errors come in random order, a tenth lies beyond each side. Vovk, Gammerman, Shafer, "Algorithmic Learning in a
// Random World", 2005 (conformal prediction), over a moving window.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>

namespace ym::sim {

struct Range {
  double low = 0, high = 0;
  bool operator==(const Range&) const = default;
};

class ErrorBand {
 public:
  // `kept`: how many of the newest errors count.
  explicit ErrorBand(std::size_t kept) : kept_(kept) {}

  // Precondition: neither is negative.
  void add(double predicted, double actual);
  // Nothing while there are fewer than ten errors. Never below zero.
  std::optional<Range> around(double predicted) const;

 private:
  std::size_t kept_;
  std::deque<double> errors_;
};

}  // namespace ym::sim
