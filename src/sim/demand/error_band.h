// How far forecasts were off lately, and so how far the next one may be: an interval of 80 %.
//
// Errors are ln((1 + came) / (1 + said)), since what is forecast here is off by factors. Of the newest n the k-th
// smallest and the k-th largest are put around the next forecast, k = floor(0.1 (n + 1)), at least 1: where errors come
// in any order alike, a tenth lies beyond either side. Vovk, Gammerman, Shafer, "Algorithmic Learning in a Random
// World", 2005 (conformal prediction), over a moving window.
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
  void add(double said, double came);
  // Nothing before there are ten errors. Never below zero.
  std::optional<Range> around(double said) const;

 private:
  std::size_t kept_;
  std::deque<double> errors_;
};

}  // namespace ym::sim
