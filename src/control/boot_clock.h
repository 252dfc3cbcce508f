// The server's clock: advances by CLOCK_BOOTTIME (so that a suspended machine's time
// counts), anchored to wall time when it is made, and never goes backwards.
#pragma once

#include "base/time.h"

namespace ym {

class BootClock : public Clock {
 public:
  BootClock();
  Instant now() const override;  // thread-safe

 private:
  std::int64_t offset_ms_;  // wall minus boot time
};

}  // namespace ym
