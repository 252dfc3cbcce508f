#include "executor/local/machine/event_loop.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "base/assert.h"
#include "executor/local/attempt/boot_time.h"

namespace ym::local {

EventLoop::EventLoop() : epoll_(::epoll_create1(EPOLL_CLOEXEC)), wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  YM_ASSERT(epoll_ && wake_);
  epoll_event event{.events = EPOLLIN, .data = {.u64 = 0}};
  YM_ASSERT(::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, wake_.get(), &event) == 0);
}

EventLoop::~EventLoop() { stop(); }

void EventLoop::start() {
  thread_ = std::thread([this] { run(); });
}

void EventLoop::stop() {
  {
    const std::lock_guard lock{mutex_};
    stopping_ = true;
  }
  ::eventfd_write(wake_.get(), 1);
  if (thread_.joinable()) thread_.join();
}

void EventLoop::post(Work work) {
  {
    const std::lock_guard lock{mutex_};
    posted_.push_back(std::move(work));
  }
  ::eventfd_write(wake_.get(), 1);
}

EventLoop::WatchId EventLoop::watch(int fd, Work readable) {
  const auto id = ++last_watch_;
  epoll_event event{.events = EPOLLIN, .data = {.u64 = id}};
  YM_ASSERT(::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event) == 0);
  watched_[id] = {fd, std::move(readable)};
  return id;
}

void EventLoop::forget(WatchId id) {
  const auto it = watched_.find(id);
  if (it == watched_.end()) return;
  ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, it->second.fd, nullptr);
  watched_.erase(it);
}

void EventLoop::after(Duration delay, Work work) { timers_.emplace(boot_now() + delay.ms, std::move(work)); }

void EventLoop::run() {
  std::array<epoll_event, 64> events;
  while (!stopping()) {
    const int n = ::epoll_wait(epoll_.get(), events.data(), events.size(), wait_ms());
    for (int i = 0; i < n; ++i) {
      const WatchId id = events[static_cast<std::size_t>(i)].data.u64;  // the event is packed: no reference to it
      const auto it = watched_.find(id);
      if (it == watched_.end()) continue;         // the wake-up, or forgotten meanwhile
      const Work readable = it->second.readable;  // a copy: it may forget itself
      readable();
    }
    run_posted();
    run_timers();
  }
}

bool EventLoop::stopping() {
  const std::lock_guard lock{mutex_};
  return stopping_;
}

void EventLoop::run_posted() {
  // Before the queue is read: work that is posted later wakes the loop again.
  eventfd_t count = 0;
  ::eventfd_read(wake_.get(), &count);
  std::vector<Work> posted;
  {
    const std::lock_guard lock{mutex_};
    posted.swap(posted_);
  }
  for (const auto& work : posted) {
    if (stopping()) return;
    work();
  }
}

void EventLoop::run_timers() {
  const auto now = boot_now();
  while (!timers_.empty() && timers_.begin()->first <= now) {
    const auto timer = timers_.extract(timers_.begin());
    timer.mapped()();
  }
}

int EventLoop::wait_ms() const {
  if (timers_.empty()) return -1;
  // At least once a minute, in case the machine slept.
  return static_cast<int>(std::clamp<std::int64_t>(timers_.begin()->first - boot_now(), 0, 60'000));
}

}  // namespace ym::local
