// WorkPool: a few threads for calls that block, in the order of their due times.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "base/time.h"

namespace ym::remote {

class WorkPool {
 public:
  explicit WorkPool(int threads);
  ~WorkPool();  // drops work that has not begun, and waits for the rest

  void submit(std::function<void()> work, Duration later = {});
  void submit_first(std::function<void()> work);  // before all that waits
  void stop();  // no work begins after it; waits for running work. Not from its own threads

 private:
  using Steady = std::chrono::steady_clock;
  void add(Steady::time_point due, std::function<void()> work);
  void run();

  std::mutex mutex_;
  std::condition_variable changed_;
  bool stopping_ = false;
  std::uint64_t number_ = 0;
  std::map<std::pair<Steady::time_point, std::uint64_t>, std::function<void()>> queue_;
  std::vector<std::thread> threads_;
};

}  // namespace ym::remote
