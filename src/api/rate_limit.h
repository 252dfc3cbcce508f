// RateLimit: a token bucket for each client, so that one client cannot starve the others. Thread-safe.
//
// Something that is only known afterwards, such as the bytes of an answer, is charged when it is known: the level then
// falls below 0, and the client waits until it is above.
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

  // Changes both from now on.
  void set(std::int64_t per_second, std::int64_t burst);

  // Whether one more request of `caller` may pass now; takes 1 for it.
  bool admit(std::string_view caller, Time now);
  // Whether the level of `caller` is above 0.
  bool has_any(std::string_view caller, Time now);
  void charge(std::string_view caller, std::int64_t amount, Time now);
  std::size_t remembered() const;

 private:
  static constexpr std::size_t kFewest = 1024;
  struct Bucket {
    double level = 0;
    Time filled;
  };

  Bucket& bucket_of(std::string_view caller, Time now);
  void refill(Bucket& bucket, Time now) const;
  void forget_idle(Time now);

  mutable std::mutex mutex_;
  double per_second_;
  double burst_;
  std::map<std::string, Bucket, std::less<>> buckets_;
  std::size_t forget_at_ = kFewest;  // number of buckets at which full ones are removed
};

}  // namespace ym::api
