// LostTokens: which launches are lost (executor/lost_launch.h). It remembers answers for a short time, so that not
// every look at a cluster and every request of a task agent asks the store. The store may be slow. So a caller asks
// (is_lost) before it takes a lock that other threads need, and reads the answer (known) under the lock.
//
// Threads: any.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "base/time.h"
#include "executor/lost_launch.h"

namespace ym::remote {

class LostTokens {
 public:
  // Call it before all others. Without it no launch is lost.
  void know(IsLost is_lost) {
    const std::lock_guard lock{mutex_};
    is_lost_ = std::move(is_lost);
  }
  // Whether a launch may be lost.
  bool is_told() const {
    const std::lock_guard lock{mutex_};
    return is_lost_ != nullptr;
  }
  // The last answer of is_lost(). Empty: it was not asked. Does not block.
  std::optional<bool> known(const Token& token) const {
    const std::lock_guard lock{mutex_};
    if (!is_lost_) return false;
    const auto found = answers_.find(token);
    return found == answers_.end() ? std::nullopt : std::optional(found->second.lost);
  }
  // May take as long as the store does.
  bool is_lost(const Token& token, Instant now) {
    IsLost ask;
    {
      const std::lock_guard lock{mutex_};
      if (!is_lost_) return false;
      const auto found = answers_.find(token);
      if (found != answers_.end() && now - found->second.at < kRemembered) return found->second.lost;
      ask = is_lost_;
    }
    const bool lost = ask(token);
    const std::lock_guard lock{mutex_};
    if (answers_.size() >= kMost) answers_.clear();
    answers_.insert_or_assign(token, Answer{lost, now});
    return lost;
  }

 private:
  struct Answer {
    bool lost = false;
    Instant at;
  };
  // A token that cannot be looked up counts as lost, so answers must not last.
  static constexpr Duration kRemembered = minutes(1);
  static constexpr std::size_t kMost = 10'000;

  mutable std::mutex mutex_;
  IsLost is_lost_;                   // under mutex_
  std::map<Token, Answer> answers_;  // under mutex_
};

}  // namespace ym::remote
