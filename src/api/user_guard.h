// UserGuard: keeps each user within the limits that the site's policy sets (UserLimits). Thread-safe.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "api/rate_limit.h"
#include "base/result.h"
#include "model/policy_settings.h"

namespace ym::api {

class UserGuard {
 public:
  // A request in progress; it ends with the last copy. The guard must outlive it.
  using Place = std::shared_ptr<void>;

  UserGuard();

  // Admits one more request of the user by the limits of now. Errors: `rate_limited`.
  Result<Place> admit(const std::string& user, const UserLimits& limits);
  // Whether the user may read more of a log now, by the limits of its last request.
  bool may_read_log(std::string_view user);
  void note_log(std::string_view user, std::size_t bytes);

 private:
  Result<Place> begin(const std::string& user, std::int64_t most);
  void end(const std::string& user);

  std::mutex mutex_;  // guards the next two
  UserLimits limits_;
  std::map<std::string, std::int64_t, std::less<>> in_progress_;
  RateLimit requests_, log_bytes_;
};

}  // namespace ym::api
