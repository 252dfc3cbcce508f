// Backoff: for how long to wait before the next try.
#pragma once

#include <algorithm>

#include "base/time.h"

namespace ym::net {

class Backoff {
 public:
  explicit Backoff(Duration first = seconds(1)) : first_(first), pause_(first) {}

  // 1 s, 2 s, 4 s, ... 60 s. There is one caller for each place, so that waits need no random part.
  Duration next() {
    const auto now = pause_;
    pause_ = std::min(Duration{pause_.ms * 2}, minutes(1));
    return now;
  }
  void reset() { pause_ = first_; }

 private:
  Duration first_, pause_;
};

}  // namespace ym::net
