// The server's clock: advances by CLOCK_BOOTTIME (so that a suspended machine's time
// counts), anchored to wall time when it is made, and never goes backwards.
#pragma once

#include <atomic>

#include "base/time.h"

namespace ym {

class BootClock : public Clock {
 public:
  BootClock();
  Instant now() const override;  // thread-safe

  // Never says less than `least` from now on: a state may hold times that this machine's
  // wall clock, once ahead, has not reached again. Thread-safe.
  void advance_to(Instant least);

 private:
  std::atomic<std::int64_t> offset_ms_;  // wall minus boot time
};

}  // namespace ym
