// Forecasts an hour from the most similar past hours: nearest neighbours, and the median of their arrivals.
//
// Cover, Hart, "Nearest neighbor pattern classification", 1967, used as a regression. It compares with all kept hours:
// a year's in well under a millisecond.
#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <optional>

namespace ym::sim {

struct AlikeOptions {
  std::size_t nearest = 30;
  std::size_t fewest = 7 * 24;  // hours that must be known before the first forecast
  std::size_t kept = 365 * 24;  // the newest hours
};

class AlikeHours {
 public:
  // Features of the beginning of an hour. Similar hours have a small Euclidean distance.
  using Place = std::array<double, 3>;

  explicit AlikeHours(AlikeOptions options = {}) : options_(options) {}

  void learn(const Place& place, double actual);
  // Of two hours with the same distance, the newer one counts.
  std::optional<double> predict(const Place& place) const;

 private:
  struct Hour {
    Place place;
    double actual = 0;
  };

  AlikeOptions options_;
  std::deque<Hour> hours_;
};

}  // namespace ym::sim
