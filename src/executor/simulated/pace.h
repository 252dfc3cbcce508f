// Pace: when a call may pass, under a limit of calls per second (a token bucket).
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

  // Empty: no limit.
  explicit Pace(std::optional<std::int64_t> per_second) : per_second_(per_second) {}

  // When the next call may pass, never before `now`. Every call to next() uses up a slot.
  Time next(Time now) {
    if (!per_second_) return now;
    const auto pause = std::chrono::nanoseconds(1'000'000'000 / *per_second_);
    free_ = std::max(free_ + pause, now - pause * (kBurst - 1));
    return std::max(free_, now);
  }

 private:
  std::optional<std::int64_t> per_second_;
  Time free_{};  // slot of the last call, without bursts
};

}  // namespace ym
