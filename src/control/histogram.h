// Histogram: counts of durations.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace ym {

// Counts each duration in the first bucket that reaches as far. Buckets are not cumulative; the output for
// Prometheus adds them up.
template <std::array kBounds>
struct Histogram {
  static constexpr auto kUpToSeconds = kBounds;
  std::array<std::int64_t, kBounds.size() + 1> count{};  // the last: longer than all
  double sum_seconds = 0;

  void add(double seconds) {
    const auto bucket = std::ranges::lower_bound(kUpToSeconds, seconds);
    count.at(static_cast<std::size_t>(bucket - kUpToSeconds.begin())) += 1;
    sum_seconds += seconds;
  }
};

}  // namespace ym
