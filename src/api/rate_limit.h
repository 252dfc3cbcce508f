// RateLimit: a token bucket for each client, so that one client cannot starve the others. Thread-safe.
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

  // per_second 0: no limit. Precondition: burst >= 1.
  RateLimit(std::int64_t per_second, std::int64_t burst);

  // Whether one more request of `caller` may pass now.
  bool admit(std::string_view caller, Time now);
  std::size_t remembered() const;

 private:
  static constexpr std::size_t kFewest = 1024;
  struct Bucket {
    double level = 0;
    Time filled;
  };

  void refill(Bucket& bucket, Time now) const;
  void forget_idle(Time now);

  const double per_second_;
  const double burst_;
  mutable std::mutex mutex_;
  std::map<std::string, Bucket, std::less<>> buckets_;
  std::size_t forget_at_ = kFewest;  // number of buckets at which full ones are removed
};

}  // namespace ym::api
