// Pace: when a call may go through, where so many a second may (a token bucket).
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>

namespace ym {

class Pace {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::int64_t kBurst = 100;

  // Nothing: there is no limit.
  explicit Pace(std::optional<std::int64_t> per_second) : per_second_(per_second) {}

  // Not before `now`. Each call takes the time that it is given.
  Time next(Time now) {
    if (!per_second_) return now;
    const auto pause = std::chrono::nanoseconds(1'000'000'000 / *per_second_);
    free_ = std::max(free_ + pause, now - pause * (kBurst - 1));
    return std::max(free_, now);
  }

 private:
  std::optional<std::int64_t> per_second_;
  Time free_{};  // of the last call, as if none had come in a burst
};

}  // namespace ym
