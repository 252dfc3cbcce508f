// StopPlan: why a task is being stopped and until when it may take its time.
//
// Times are milliseconds of CLOCK_BOOTTIME, which also counts while the machine sleeps.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "model/states.h"

namespace ym::local {

enum class WhyStopped : std::uint8_t { cancel, preemption, gang_failure, start_timeout, time_limit };

constexpr WhyStopped why(StopCause cause) {
  switch (cause) {
    case StopCause::cancel: return WhyStopped::cancel;
    case StopCause::preemption: return WhyStopped::preemption;
    case StopCause::gang_failure: return WhyStopped::gang_failure;
    case StopCause::start_timeout: break;
  }
  return WhyStopped::start_timeout;
}

class StopPlan {
 public:
  // The first cause stays; a later, shorter grace shortens. True if this was the first
  // request, so that the signal is to be sent now.
  bool request(WhyStopped cause, std::int64_t now, std::int64_t grace) {
    // A grace may be as long as int64 can hold.
    const std::int64_t end = grace > kForever - now ? kForever : now + grace;
    const bool first = !cause_;
    if (first) cause_ = cause;
    deadline_ = first ? end : std::min(deadline_, end);
    return first;
  }

  std::optional<WhyStopped> cause() const { return cause_; }
  std::optional<std::int64_t> deadline() const { return cause_ ? std::optional(deadline_) : std::nullopt; }

 private:
  static constexpr std::int64_t kForever = INT64_MAX;
  std::optional<WhyStopped> cause_;
  std::int64_t deadline_ = 0;
};

}  // namespace ym::local
