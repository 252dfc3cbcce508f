// Threads that wait for other servers, so that no thread that serves requests does.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace ym::login {

// Thread-safe.
class Workers {
 public:
  static constexpr std::size_t kThreads = 4, kMostWaiting = 64;
  using Work = std::move_only_function<void()>;

  Workers();
  ~Workers() { stop(); }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  // False: too much waits, or it has stopped; the work was not taken.
  bool run(Work& work);
  // Drops the work that has not begun, and waits for the rest. Idempotent.
  void stop();

 private:
  void serve(const std::stop_token& stop);

  std::mutex mutex_;
  bool stopped_ = false;
  std::condition_variable_any ready_;
  std::deque<Work> waiting_;
  std::vector<std::jthread> threads_;  // last: they use the others
};

}  // namespace ym::login
