// VirtualClock: the time of a simulation. It advances only through advance_to().
#pragma once

#include "base/assert.h"
#include "base/time.h"

namespace ym::sim {

class VirtualClock final : public Clock {
 public:
  explicit VirtualClock(Instant begin) : now_(begin) {}

  Instant now() const override { return now_; }
  // Precondition: not before now().
  void advance_to(Instant at) {
    YM_ASSERT(at >= now_);
    now_ = at;
  }

 private:
  Instant now_;
};

}  // namespace ym::sim
