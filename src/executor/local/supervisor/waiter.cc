#include "executor/local/supervisor/waiter.h"

#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <csignal>

namespace ym::local {
namespace {

timespec to_timespec(std::int64_t ms) { return {.tv_sec = ms / 1000, .tv_nsec = (ms % 1000) * 1'000'000}; }

}  // namespace

Waiter::Waiter() {
  sigset_t all, children;
  ::sigfillset(&all);
  ::sigprocmask(SIG_SETMASK, &all, nullptr);
  // With SIGCHLD ignored, the kernel would reap the children itself.
  ::signal(SIGCHLD, SIG_DFL);
  ::sigemptyset(&children);
  ::sigaddset(&children, SIGCHLD);
  signals_ = Fd{::signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK)};
  timer_ = Fd{::timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK)};
}

void Waiter::wait(const ControlSocket& socket, std::initializer_list<int> pipes, std::optional<std::int64_t> deadline) {
  // Zero would disarm the timer: a deadline that has passed is set to one millisecond after boot.
  const itimerspec at{.it_interval = {}, .it_value = to_timespec(deadline ? std::max<std::int64_t>(*deadline, 1) : 0)};
  ::timerfd_settime(timer_.get(), TFD_TIMER_ABSTIME, &at, nullptr);
  std::vector<pollfd> polled{{signals_.get(), POLLIN, 0}, {timer_.get(), POLLIN, 0}};
  for (const int pipe : pipes)
    if (pipe >= 0) polled.push_back({pipe, POLLIN, 0});
  socket.add_to(polled);
  ::poll(polled.data(), polled.size(), -1);
  std::array<signalfd_siginfo, 16> infos;
  while (::read(signals_.get(), infos.data(), sizeof infos) > 0) continue;
}

}  // namespace ym::local
