// Deadline and cancellation of a call, and the errors of waits. Private to net.
#pragma once

#include <algorithm>
#include <chrono>
#include <expected>
#include <functional>
#include <string>

#include "net/http_client.h"

namespace ym::net {

using SteadyTime = std::chrono::steady_clock::time_point;

// At most one year, so that the sum cannot overflow.
inline SteadyTime from_now(Duration time) {
  const auto ms = std::clamp<std::int64_t>(time.ms, 0, hours(24 * 365).ms);
  return std::chrono::steady_clock::now() + std::chrono::milliseconds(ms);
}

struct WaitLimit {
  SteadyTime deadline;
  const Cancel& cancel;
  const std::function<bool()>* keep_going = nullptr;  // Request::keep_going

  bool wanted() const { return !cancel.cancelled() && (keep_going == nullptr || !*keep_going || (*keep_going)()); }
};

struct IoError {
  enum class Kind {
    lost,   // no connection, or it broke
    ended,  // the server closed it cleanly
    timed_out,
    cancelled,
  };
  Kind kind = Kind::lost;
  std::string why;  // for users
};

template <class T>
using Io = std::expected<T, IoError>;

inline std::unexpected<IoError> timed_out() { return std::unexpected(IoError{IoError::Kind::timed_out, "timed out"}); }
inline std::unexpected<IoError> cancelled() { return std::unexpected(IoError{IoError::Kind::cancelled, "cancelled"}); }
inline std::unexpected<IoError> lost(std::string why) {
  return std::unexpected(IoError{IoError::Kind::lost, std::move(why)});
}

}  // namespace ym::net
