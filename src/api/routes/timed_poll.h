// TimedPoll: a long poll that answers 204 if its time ends without news.
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

  // Rounded up, so that the last look is not too early.
  Duration wait() const final {
    return Duration{std::chrono::ceil<std::chrono::milliseconds>(until_ - Clock::now()).count()};
  }

 protected:
  // Nothing: there is no news yet.
  virtual std::optional<Response> news() = 0;

  std::shared_ptr<void> watching_;  // the subscription that start() made

 private:
  using Clock = std::chrono::steady_clock;

  const Clock::time_point until_;
};

}  // namespace ym::api
