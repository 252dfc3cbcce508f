// For tests: a store that says which launches are lost, but only after the test has done something else.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "executor/lost_launch.h"

namespace ym::testing {

class SlowStore {
 public:
  // It outlives the judge. All launches are lost.
  IsLost judge() {
    return [this](const Token&) {
      std::unique_lock lock{mutex_};
      is_asked_ = true;
      changed_.notify_all();
      // A test that waits for the answer would wait forever.
      was_late_ = !changed_.wait_for(lock, std::chrono::seconds(60), [this] { return is_let_go_; });
      return true;
    };
  }
  void wait_until_asked() {
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [this] { return is_asked_; });
  }
  // False: it has answered by itself after a timeout.
  bool let_go() {
    const std::lock_guard lock{mutex_};
    is_let_go_ = true;
    changed_.notify_all();
    return !was_late_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_asked_ = false, is_let_go_ = false, was_late_ = false;  // under mutex_
};

}  // namespace ym::testing
