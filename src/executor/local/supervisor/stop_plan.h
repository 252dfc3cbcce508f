// StopPlan: why a task is being stopped, and its deadline.
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
  // The first cause stays; a later request with an earlier deadline shortens the grace. True for the first request: the
  // caller sends the signal now.
  bool request(WhyStopped cause, std::int64_t now, std::int64_t grace) {
    // A grace may be as large as int64 allows.
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
