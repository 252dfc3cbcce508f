// SizeForecast: which share of the jobs to come will ask for how many GPUs.
//
// For the next hour each size has a rate with a memory of its own: single GPUs come in bursts (half-life two hours),
// more of them steadily (two days). For longer: counts that decay over days. Both lean a little on all that ever came,
// so that no size is ruled out.
//
// Feed it in the order of time; what comes late counts in the present hour, and an hour once it is over. Threads: one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "sim/demand/calendar.h"

namespace ym::sim {

// 1 (or none), 2, 3-4, 5-8, 9-16, 17-32, more.
inline constexpr std::size_t kSizeClasses = 7;
using SizeShares = std::array<double, kSizeClasses>;  // add up to 1

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
  // Of all that ever came: what the others are measured against.
  SizeShares all_time(Instant now);

 private:
  void advance(Instant now);
  void close_hour();
  SizeShares ever() const;

  SizeOptions options_;
  std::int64_t hour_;
  SizeShares this_hour_{}, rates_{}, decayed_{}, total_;
  SizeShares hours_seen_{};  // of each rate, decayed alike
};

}  // namespace ym::sim
