// OrderedQueue: an ordered queue of observations for control. It delivers them without a lock of the registry. Private
// to this library. Threads: any.
#pragma once

#include <deque>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

#include "executor/executor.h"

namespace ym::remote {

class OrderedQueue {
 public:
  // Sets the receiver. Observations that were put before are delivered first.
  void open(ObservationSink sink) {
    const std::lock_guard lock{mutex_};
    sink_ = std::move(sink);
  }

  void put(std::vector<Observation> observations) {
    const std::lock_guard lock{mutex_};
    for (auto& one : observations) waiting_.push_back(std::move(one));
  }

  // Delivers the waiting observations. If another thread delivers already, that thread delivers these too. Calls `told`
  // after each. Precondition: the caller holds no lock that the sink or `told` needs.
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
