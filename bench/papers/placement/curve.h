// The curve on which differences between nodes count, as Weng et al. have it: 100 / (1 + e^-x), whole steps of it, x in
// GPUs. The engine has the same (engine/placement/curve.h).
#pragma once

#include <array>
#include <cstdint>

namespace ym::sim::placement {

class Curve {
 public:
  // Of sums of thousandths of a GPU that are meant to be divided by so much, rounded towards zero if it is so.
  explicit Curve(std::int64_t divisor = 1, bool rounds = true);

  // 0 to 100, smaller is better, of a gain.
  std::int64_t cost(std::int64_t gain) const;

 private:
  std::array<std::int64_t, 99> least_{};  // [s-1]: the least gain with which 100 / (1 + e^-x) is s at least
};

}  // namespace ym::sim::placement
