// The clock for durations. It also counts while the machine sleeps, and nothing can set it.
#pragma once

#include <time.h>

#include <cstdint>

namespace ym::local {

// Milliseconds of CLOCK_BOOTTIME.
inline std::int64_t boot_now() {
  timespec now{};
  ::clock_gettime(CLOCK_BOOTTIME, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1'000'000;
}

}  // namespace ym::local
