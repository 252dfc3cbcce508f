// TimedPoll: a long poll that answers 204 when its time is over without news.
#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include "api/http/message.h"
#include "base/time.h"

namespace ym::api {

class TimedPoll : public LongPoll {
 public:
  explicit TimedPoll(Duration wait) : until_(Clock::now() + std::chrono::milliseconds(wait.ms)) {}

  std::optional<Response> look() final {
    auto response = news();
    if (!response && wait().ms <= 0) response = Response{.status = 204};
    return response;
  }

  // Rounded up, so that the last look is not before its time.
  Duration wait() const final {
    return Duration{std::chrono::ceil<std::chrono::milliseconds>(until_ - Clock::now()).count()};
  }

 protected:
  // Nothing: there is none so far.
  virtual std::optional<Response> news() = 0;

  std::shared_ptr<void> watching_;  // what start() has asked to be woken by

 private:
  using Clock = std::chrono::steady_clock;

  const Clock::time_point until_;
};

}  // namespace ym::api
