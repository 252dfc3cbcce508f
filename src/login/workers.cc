#include "login/workers.h"

namespace ym::login {

Workers::Workers() {
  for (std::size_t i = 0; i < kThreads; ++i)
    threads_.emplace_back([this](const std::stop_token& stop) { serve(stop); });
}

void Workers::stop() {
  std::deque<Work> dropped;
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    dropped.swap(waiting_);
  }
  for (auto& thread : threads_) thread.request_stop();
  for (auto& thread : threads_)
    if (thread.joinable()) thread.join();
}

bool Workers::run(Work& work) {
  {
    const std::lock_guard lock(mutex_);
    if (stopped_ || waiting_.size() >= kMostWaiting) return false;
    waiting_.push_back(std::move(work));
  }
  ready_.notify_one();
  return true;
}

void Workers::serve(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (ready_.wait(lock, stop, [this] { return !waiting_.empty(); })) {
    if (stop.stop_requested()) return;
    Work work = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    work();
    work = {};
    lock.lock();
  }
}

}  // namespace ym::login
