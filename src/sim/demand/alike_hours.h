// What came in those past hours that began most like this one: nearest neighbours, and the median of what they say.
//
// Cover, Hart, "Nearest neighbor pattern classification", 1967, as a regression. Asks all hours kept: a year's in well
// under a millisecond.
#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <optional>

namespace ym::sim {

struct AlikeOptions {
  std::size_t nearest = 30;
  std::size_t fewest = 7 * 24;  // hours known before anything is said
  std::size_t kept = 365 * 24;  // the newest
};

class AlikeHours {
 public:
  // How an hour began; near is what has a small Euclidean distance.
  using Place = std::array<double, 3>;

  explicit AlikeHours(AlikeOptions options = {}) : options_(options) {}

  void learn(const Place& place, double came);
  // Of two that are as near, the newer counts.
  std::optional<double> predict(const Place& place) const;

 private:
  struct Hour {
    Place place;
    double came = 0;
  };

  AlikeOptions options_;
  std::deque<Hour> hours_;
};

}  // namespace ym::sim
