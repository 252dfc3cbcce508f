// EventLoop: one thread that waits for descriptors and timers.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "base/fd.h"
#include "base/time.h"

namespace ym::local {

class EventLoop {
 public:
  using Work = std::function<void()>;
  using WatchId = std::uint64_t;

  EventLoop();
  ~EventLoop();  // calls stop()
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

  void start();
  // Instead of start(): the calling thread becomes the loop's thread until stop().
  void run();
  // Ends the thread after its current work; no further work runs. On the loop's own thread: run() returns.
  void stop();

  // From any thread. Work runs on the loop's thread, in order.
  void post(Work work);

  // On the loop's thread only. The loop calls `readable` whenever the descriptor is readable or broken, until forget().
  // Call forget() before you close the descriptor.
  WatchId watch(int fd, Work readable);
  void forget(WatchId id);
  void after(Duration delay, Work work);

 private:
  struct Watched {
    int fd = -1;
    Work readable;
  };
  bool stopping();
  void run_posted();
  void run_timers();
  int wait_ms() const;

  Fd epoll_, wake_;
  std::mutex mutex_;
  std::vector<Work> posted_;  // under mutex_
  bool stopping_ = false;     // under mutex_
  std::map<WatchId, Watched> watched_;
  WatchId last_watch_ = 0;
  std::multimap<std::int64_t, Work> timers_;  // by boot_now
  std::thread thread_;
};

}  // namespace ym::local
