// LearntFactor: the factor by which a bound has to move so that one value in ten lies beyond it. It learns from whether
// earlier values were beyond their bounds.
//
// A value beyond moves the factor out by nine parts, a value within moves it back by one. So it settles where one in
// ten is beyond, in whatever order the values come and when their source changes. These are gradient steps on the
// pinball loss of the factor's logarithm, as in Gibbs and Candes, "Adaptive conformal inference under distribution
// shift", NeurIPS 2021. A quantile of the newest errors does worse here: jobs come in bursts with the same outcome, and
// one burst fills any window.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/assert.h"

namespace ym::engine {

class LearntFactor {
 public:
  struct Limits {
    std::int64_t least_milli, most_milli;  // bounds of the factor; 1000 is within them
    std::int64_t parts;                    // more parts: it learns more slowly and steadily
  };
  explicit LearntFactor(const Limits& limits) : limits_(limits) {
    YM_ASSERT(limits.least_milli <= kOne && kOne <= limits.most_milli && limits.parts > kOut);
  }

  void note(bool beyond) {
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
