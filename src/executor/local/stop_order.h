// StopOrder: a stop and its deadline, for receivers that get the stop late.
//
// Times are milliseconds of CLOCK_BOOTTIME.
#pragma once

#include <algorithm>
#include <cstdint>

#include "executor/executor.h"

namespace ym::local {

class StopOrder {
 public:
  StopOrder(StopRequest request, std::int64_t now)
      : request_(std::move(request)), deadline_(deadline_of(request_, now)) {}

  // Adds a later request: the first cause and signal stay, and the earlier deadline applies.
  void join(const StopRequest& later, std::int64_t now) {
    request_.grace = std::min(request_.grace, later.grace);
    deadline_ = std::min(deadline_, deadline_of(later, now));
  }

  // The stop with the rest of the grace, for a receiver that may get it for the first time. After the deadline, the
  // whole grace: a receiver without an earlier request could not use it otherwise, and one with a request keeps its
  // first deadline.
  StopRequest as_of(std::int64_t now) const {
    StopRequest request = request_;
    if (deadline_ > now) request.grace = std::min(request.grace, Duration{deadline_ - now});
    return request;
  }

  std::int64_t deadline() const { return deadline_; }

 private:
  static constexpr Duration kLongestGrace = hours(24 * 366);
  static std::int64_t deadline_of(const StopRequest& request, std::int64_t now) {
    return now + std::min(request.grace, kLongestGrace).ms;
  }

  StopRequest request_;
  std::int64_t deadline_ = 0;
};

}  // namespace ym::local
