#include "api/rate_limit.h"

#include <algorithm>

#include "base/assert.h"

namespace ym::api {

RateLimit::RateLimit(std::int64_t per_second, std::int64_t burst)
    : per_second_(static_cast<double>(per_second)), burst_(static_cast<double>(burst)) {
  YM_ASSERT(burst >= 1);
}

void RateLimit::refill(Bucket& bucket, Time now) const {
  const std::chrono::duration<double> passed = now - bucket.filled;
  if (passed.count() <= 0) return;
  bucket.level = std::min(burst_, bucket.level + passed.count() * per_second_);
  bucket.filled = now;
}

// A full bucket is the same as no bucket. The others were used within the last moments, so there are only as many as
// clients that ask at once, and this search stays rare.
void RateLimit::forget_idle(Time now) {
  for (auto& [caller, bucket] : buckets_) refill(bucket, now);
  std::erase_if(buckets_, [this](const auto& entry) { return entry.second.level >= burst_; });
  forget_at_ = std::max(kFewest, 2 * buckets_.size());
}

void RateLimit::set(std::int64_t per_second, std::int64_t burst) {
  YM_ASSERT(burst >= 1);
  const std::lock_guard lock(mutex_);
  per_second_ = static_cast<double>(per_second);
  burst_ = static_cast<double>(burst);
}

RateLimit::Bucket& RateLimit::bucket_of(std::string_view caller, Time now) {
  auto found = buckets_.find(caller);
  if (found == buckets_.end()) {
    if (buckets_.size() >= forget_at_) forget_idle(now);
    found = buckets_.emplace(caller, Bucket{burst_, now}).first;
  }
  refill(found->second, now);
  return found->second;
}

bool RateLimit::admit(std::string_view caller, Time now) {
  const std::lock_guard lock(mutex_);
  if (per_second_ <= 0) return true;
  Bucket& bucket = bucket_of(caller, now);
  if (bucket.level < 1) return false;
  bucket.level -= 1;
  return true;
}

bool RateLimit::has_any(std::string_view caller, Time now) {
  const std::lock_guard lock(mutex_);
  return per_second_ <= 0 || bucket_of(caller, now).level > 0;
}

void RateLimit::charge(std::string_view caller, std::int64_t amount, Time now) {
  const std::lock_guard lock(mutex_);
  if (per_second_ > 0) bucket_of(caller, now).level -= static_cast<double>(amount);
}

std::size_t RateLimit::remembered() const {
  const std::lock_guard lock(mutex_);
  return buckets_.size();
}

}  // namespace ym::api
