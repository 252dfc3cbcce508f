#include "net/sinks/sink_queue.h"

#include <chrono>
#include <utility>

namespace ym::net {

SinkQueue::SinkQueue(Sink sink, std::function<void(const Result<void>&)> report, Backoff pause)
    : sink_(std::move(sink)),
      report_(std::move(report)),
      pause_(pause),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

SinkQueue::~SinkQueue() {
  thread_.request_stop();
  cancel_.cancel();
}

void SinkQueue::push(SinkRecord record) {
  {
    const std::lock_guard lock(mutex_);
    if (waiting_.size() == kMostWaiting) waiting_.pop_front();
    waiting_.push_back(std::move(record));
  }
  wake_.notify_one();
}

void SinkQueue::run(const std::stop_token& stop) {
  for (;;) {
    SinkRecord record;
    {
      std::unique_lock lock(mutex_);
      if (!wake_.wait(lock, stop, [this] { return !waiting_.empty(); })) return;
      record = std::move(waiting_.front());
      waiting_.pop_front();
    }
    if (!deliver(record, stop)) return;
  }
}

bool SinkQueue::deliver(const SinkRecord& record, const std::stop_token& stop) {
  pause_.reset();
  for (;;) {
    const auto sent = sink_.send({&record, 1}, {}, cancel_);
    if (stop.stop_requested()) return false;
    note(sent);
    // What is refused is not given again: the next one may be accepted.
    if (sent || sent.error().code != ErrorCode::unavailable) return true;
    std::unique_lock lock(mutex_);
    wake_.wait_for(lock, stop, std::chrono::milliseconds(pause_.next().ms), [] { return false; });
    if (stop.stop_requested()) return false;
  }
}

void SinkQueue::note(const Result<void>& sent) {
  if (std::exchange(failing_, !sent.has_value()) == sent.has_value()) report_(sent);
}

}  // namespace ym::net
