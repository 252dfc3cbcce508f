#include "api/user_guard.h"

#include <fmt/format.h>

namespace ym::api {

UserGuard::UserGuard() : requests_(0, 1), log_bytes_(0, 1) {}

Result<UserGuard::Place> UserGuard::admit(const std::string& user, const UserLimits& limits) {
  {
    const std::lock_guard lock(mutex_);
    if (limits_ != limits) {
      limits_ = limits;
      requests_.set(limits.requests_per_second, 2 * limits.requests_per_second);
      log_bytes_.set(limits.log_bytes_per_second, limits.log_bytes_per_second);
    }
  }
  if (!requests_.admit(user, std::chrono::steady_clock::now()))
    return fail(ErrorCode::rate_limited, fmt::format("more than {} requests a second; see user_limits in `ym policy "
                                                     "show`",
                                                     limits.requests_per_second));
  return begin(user, limits.requests_in_progress);
}

Result<UserGuard::Place> UserGuard::begin(const std::string& user, std::int64_t most) {
  const std::lock_guard lock(mutex_);
  auto& count = in_progress_[user];
  if (count >= most)
    return fail(ErrorCode::rate_limited, fmt::format("{} requests of this user are in progress, which is the most; "
                                                     "followed feeds and logs count, too",
                                                     count));
  ++count;
  return Place(this, [user](void* self) { static_cast<UserGuard*>(self)->end(user); });
}

void UserGuard::end(const std::string& user) {
  const std::lock_guard lock(mutex_);
  const auto count = in_progress_.find(user);
  if (--count->second == 0) in_progress_.erase(count);
}

bool UserGuard::may_read_log(std::string_view user) {
  return log_bytes_.has_any(user, std::chrono::steady_clock::now());
}

void UserGuard::note_log(std::string_view user, std::size_t bytes) {
  log_bytes_.charge(user, static_cast<std::int64_t>(bytes), std::chrono::steady_clock::now());
}

}  // namespace ym::api
