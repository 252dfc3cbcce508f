#include "api/rate_limit.h"

#include "base/assert.h"

namespace ym::api {

RateLimit::RateLimit(std::int64_t per_second, std::int64_t burst)
    : per_second_(static_cast<double>(per_second)), burst_(static_cast<double>(burst)) {
  YM_ASSERT(burst >= 1);
}

bool RateLimit::admit(std::string_view principal, Time now) {
  if (per_second_ <= 0) return true;
  const std::lock_guard lock(mutex_);
  auto found = buckets_.find(principal);
  if (found == buckets_.end()) found = buckets_.emplace(principal, Bucket{burst_, now}).first;
  Bucket& bucket = found->second;
  const std::chrono::duration<double> passed = now - bucket.filled;
  if (passed.count() > 0) {
    bucket.level = std::min(burst_, bucket.level + passed.count() * per_second_);
    bucket.filled = now;
  }
  if (bucket.level < 1) return false;
  bucket.level -= 1;
  return true;
}

}  // namespace ym::api
