// RateLimit: a token bucket for each principal, so that one of them cannot starve the
// others. Thread-safe.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace ym::api {

class RateLimit {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // per_second 0: everything passes. Precondition: burst >= 1.
  RateLimit(std::int64_t per_second, std::int64_t burst);

  // Whether one more request of this principal may pass now. Principals are as many as
  // there are accounts, so the map stays small.
  bool admit(std::string_view principal, Time now);

 private:
  struct Bucket {
    double level = 0;
    Time filled;
  };

  const double per_second_;
  const double burst_;
  std::mutex mutex_;
  std::map<std::string, Bucket, std::less<>> buckets_;
};

}  // namespace ym::api
