// SinkQueue: records on their way to a sink, which may be slow or away, with a thread of their own.
//
// For records where each covers the earlier ones, as heads of the audit log do: a full queue drops its oldest, and at
// the end what waits is dropped.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "net/sinks/backoff.h"
#include "net/sinks/sink.h"

namespace ym::net {

class SinkQueue {
 public:
  // `report`: called on the queue's thread when records begin to fail, with the reason, and with success when they
  // arrive again.
  SinkQueue(Sink sink, std::function<void(const Result<void>&)> report, Backoff pause = Backoff());
  // Does not wait for the sink; a file that is being written is waited for.
  ~SinkQueue();
  SinkQueue(const SinkQueue&) = delete;
  SinkQueue& operator=(const SinkQueue&) = delete;

  // Thread-safe; never waits for the sink.
  void push(SinkRecord record);

 private:
  static constexpr std::size_t kMostWaiting = 64;

  void run(const std::stop_token& stop);
  // False: it is time to stop.
  bool deliver(const SinkRecord& record, const std::stop_token& stop);
  void note(const Result<void>& sent);

  Sink sink_;
  const std::function<void(const Result<void>&)> report_;
  Backoff pause_;  // of the thread, like failing_
  bool failing_ = false;
  Cancel cancel_;
  std::mutex mutex_;  // guards waiting_
  std::condition_variable_any wake_;
  std::deque<SinkRecord> waiting_;
  std::jthread thread_;  // last: it uses the others
};

}  // namespace ym::net
