#include "executor/remote/work_pool.h"

namespace ym::remote {

WorkPool::WorkPool(int threads) {
  for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { run(); });
}

WorkPool::~WorkPool() { stop(); }

void WorkPool::submit(std::function<void()> work, Duration later) {
  add(Steady::now() + std::chrono::milliseconds(later.ms), std::move(work));
}

void WorkPool::submit_first(std::function<void()> work) { add({}, std::move(work)); }

void WorkPool::add(Steady::time_point due, std::function<void()> work) {
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) return;
    queue_.emplace(std::pair(due, ++number_), std::move(work));
  }
  changed_.notify_one();
}

void WorkPool::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    queue_.clear();
  }
  changed_.notify_all();
  for (auto& thread : threads_) thread.join();
  threads_.clear();
}

void WorkPool::run() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (queue_.empty()) {
      changed_.wait(lock);
      continue;
    }
    const auto due = queue_.begin()->first.first;
    if (due > Steady::now()) {
      changed_.wait_until(lock, due);
      continue;
    }
    const auto work = std::move(queue_.begin()->second);
    queue_.erase(queue_.begin());
    lock.unlock();
    work();
    lock.lock();
  }
}

}  // namespace ym::remote
