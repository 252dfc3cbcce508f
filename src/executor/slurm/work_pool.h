// A few threads that do work in the order of its arrival.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace ym::slurm {

class WorkPool {
 public:
  explicit WorkPool(int threads) {
    for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
  }
  // Finishes running work, and drops the rest.
  ~WorkPool() {
    {
      const std::lock_guard lock{mutex_};
      over_ = true;
      waiting_.clear();
    }
    changed_.notify_all();
    for (auto& thread : threads_) thread.join();
  }
  WorkPool(const WorkPool&) = delete;
  WorkPool& operator=(const WorkPool&) = delete;

  void post(std::function<void()> work, bool first = false) {
    {
      const std::lock_guard lock{mutex_};
      if (over_) return;
      if (first) waiting_.push_front(std::move(work));
      else waiting_.push_back(std::move(work));
    }
    changed_.notify_one();
  }

 private:
  void work() {
    std::unique_lock lock{mutex_};
    while (true) {
      changed_.wait(lock, [this] { return over_ || !waiting_.empty(); });
      if (over_) return;
      auto next = std::move(waiting_.front());
      waiting_.pop_front();
      lock.unlock();
      next();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;  // under mutex_
  bool over_ = false;                          // under mutex_
  std::vector<std::thread> threads_;
};

}  // namespace ym::slurm
