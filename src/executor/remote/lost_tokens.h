// LostTokens: which launches are lost (executor/lost_launch.h), remembered for a while, so that not each look at a
// cluster, and not each question of a wrapper's, is one to the store. The store may be slow: before it
// takes a lock that others need, the caller asks (is_lost); under the lock it reads the answer (known).
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
  // Before all else. Without it nothing is lost.
  void know(IsLost is_lost) {
    const std::lock_guard lock{mutex_};
    is_lost_ = std::move(is_lost);
  }
  // Whether anything may be.
  bool is_told() const {
    const std::lock_guard lock{mutex_};
    return is_lost_ != nullptr;
  }
  // As is_lost() has said last. Nothing: it was not asked. It waits for nobody.
  std::optional<bool> known(const Token& token) const {
    const std::lock_guard lock{mutex_};
    if (!is_lost_) return false;
    const auto found = answers_.find(token);
    return found == answers_.end() ? std::nullopt : std::optional(found->second.lost);
  }
  // It may take as long as the store does.
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
  // What cannot be looked up counts as lost, which must not last.
  static constexpr Duration kRemembered = minutes(1);
  static constexpr std::size_t kMost = 10'000;

  mutable std::mutex mutex_;
  IsLost is_lost_;                   // under mutex_
  std::map<Token, Answer> answers_;  // under mutex_
};

}  // namespace ym::remote
