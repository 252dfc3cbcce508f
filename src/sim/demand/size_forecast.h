// SizeForecast: the shares of the coming jobs by number of GPUs.
//
// For the next hour each size has a rate with a memory of its own: jobs with a single GPU come in bursts (half-life two
// hours), larger ones come steadily (two days). For longer times: counts that decay over days. Both include all jobs so
// far with a small weight, so that every size stays possible.
//
// Feed it in the order of time. A late job counts in the present hour. An hour counts once it is over. Threads: one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "sim/demand/calendar.h"

namespace ym::sim {

// 1 (or none), 2, 3-4, 5-8, 9-16, 17-32, more.
inline constexpr std::size_t kSizeClasses = 7;
using SizeShares = std::array<double, kSizeClasses>;  // the sum is 1

std::size_t size_class(std::int64_t gpus);

struct SizeOptions {
  double single_half_life_hours = 2, multi_half_life_hours = 48;
  double days_half_life_hours = 96;
};

class SizeForecast {
 public:
  explicit SizeForecast(Instant since, SizeOptions options = {});

  void submitted(Instant at, std::int64_t gpus);

  SizeShares next_hour(Instant now);
  SizeShares next_days(Instant now);
  // Shares of all jobs so far, to compare the others with.
  SizeShares all_time(Instant now);

 private:
  void advance(Instant now);
  void close_hour();
  SizeShares ever() const;

  SizeOptions options_;
  std::int64_t hour_;
  SizeShares this_hour_{}, rates_{}, decayed_{}, total_;
  SizeShares hours_seen_{};  // for each rate, with the same decay
};

}  // namespace ym::sim
