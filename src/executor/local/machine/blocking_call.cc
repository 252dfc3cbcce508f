#include "executor/local/machine/blocking_call.h"

#include <sys/eventfd.h>

#include <memory>
#include <system_error>
#include <thread>

#include "base/fd.h"

namespace ym::local {
namespace {

// Shared by the loop and the thread. The thread may hang longer than everything else lives.
struct Shared {
  std::function<void()> work;
  Fd finished{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
};

bool begin(const std::shared_ptr<Shared>& shared) {
  if (!shared->finished) return false;
  try {
    std::thread([shared] {
      shared->work();
      ::eventfd_write(shared->finished.get(), 1);
    }).detach();
    return true;
  } catch (const std::system_error&) {
    return false;
  }
}

}  // namespace

void do_blocking(EventLoop& loop, Duration timeout, std::function<void()> work, EventLoop::Work done) {
  const auto shared = std::make_shared<Shared>();
  shared->work = std::move(work);
  if (!begin(shared)) return done();
  // The answer and the timeout each stop the other: the first of them removes the watch.
  const auto watch = std::make_shared<EventLoop::WatchId>();
  const auto answer = std::make_shared<EventLoop::Work>([&loop, shared, watch, done = std::move(done)] {
    loop.forget(*watch);
    done();
  });
  *watch = loop.watch(shared->finished.get(), [answer] { (*answer)(); });
  loop.after(timeout, [weak = std::weak_ptr(answer)] {
    if (const auto late = weak.lock()) (*late)();
  });
}

}  // namespace ym::local
