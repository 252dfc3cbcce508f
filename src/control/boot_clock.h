// The server's clock. It advances by CLOCK_BOOTTIME, so the time of a suspended machine counts. It starts at wall time
// and never goes backwards.
#pragma once

#include <atomic>

#include "base/time.h"

namespace ym {

class BootClock : public Clock {
 public:
  BootClock();
  Instant now() const override;  // thread-safe

  // From now on, now() returns at least `least`. A stored state may hold times that this machine's wall clock has not
  // reached: the clock may have been ahead and then corrected. Thread-safe.
  void advance_to(Instant least);

 private:
  std::atomic<std::int64_t> offset_ms_;  // wall minus boot time
};

}  // namespace ym
