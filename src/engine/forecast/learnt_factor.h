// LearntFactor: how far a bound has to be moved out so that one in ten lies beyond it, learnt from whether those did
// for which it was said.
//
// One beyond moves it out by nine parts, one within moves it back by one: it comes to rest where one in ten is beyond.
// That holds in whatever order they come, and when what they come from changes: steps on the pinball loss of its
// logarithm, as in Gibbs and Candes, "Adaptive conformal inference under distribution shift", NeurIPS 2021. A quantile
// of the newest errors does worse here: jobs come in bursts that share their fate, and one burst fills any window.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/assert.h"

namespace ym::engine {

class LearntFactor {
 public:
  struct Limits {
    std::int64_t least_milli, most_milli;  // it stays between these; 1000 is one of them or between them
    std::int64_t parts;                    // of it; the more, the slower and the steadier it learns
  };
  explicit LearntFactor(const Limits& limits) : limits_(limits) {
    YM_ASSERT(limits.least_milli <= kOne && kOne <= limits.most_milli && limits.parts > kOut);
  }

  void came(bool beyond) {
    micro_ += beyond ? micro_ * kOut / limits_.parts : -(micro_ / limits_.parts);
    micro_ = std::clamp(micro_, limits_.least_milli * kMicro, limits_.most_milli * kMicro);
  }
  std::int64_t milli() const { return micro_ / kMicro; }

 private:
  static constexpr std::int64_t kOne = 1000, kMicro = 1000, kOut = 9;

  Limits limits_;
  std::int64_t micro_ = kOne * kMicro;
};

}  // namespace ym::engine
