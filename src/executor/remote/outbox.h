// Outbox: observations on their way to control, in order, delivered under no lock of the desk's.
// Private to this library. Threads: any.
#pragma once

#include <deque>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

#include "executor/executor.h"

namespace ym::remote {

class Outbox {
 public:
  // From now on there is somebody to deliver to; what was put before goes first.
  void open(ObservationSink sink) {
    const std::lock_guard lock{mutex_};
    sink_ = std::move(sink);
  }

  void put(std::vector<Observation> observations) {
    const std::lock_guard lock{mutex_};
    for (auto& one : observations) waiting_.push_back(std::move(one));
  }

  // Delivers what waits, unless another thread is at it, which then does this, too. `told` is called
  // after each. Precondition: no lock is held that the sink or `told` needs.
  void flush(const std::function<void(const Observation&)>& told) {
    while (auto next = take()) {
      sink_(*next);
      told(*next);
      const std::lock_guard lock{mutex_};
      delivering_ = false;
    }
  }

 private:
  std::optional<Observation> take() {
    const std::lock_guard lock{mutex_};
    if (delivering_ || !sink_ || waiting_.empty()) return std::nullopt;
    delivering_ = true;
    Observation next = std::move(waiting_.front());
    waiting_.pop_front();
    return next;
  }

  std::mutex mutex_;
  ObservationSink sink_;             // set once, before anything is delivered
  std::deque<Observation> waiting_;  // under mutex_
  bool delivering_ = false;          // under mutex_
};

}  // namespace ym::remote
