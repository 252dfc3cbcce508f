#include "executor/local/aside.h"

#include <sys/eventfd.h>

#include <memory>
#include <system_error>
#include <thread>

#include "base/fd.h"

namespace ym::local {
namespace {

// Of the loop and of the thread, which may hang for longer than anything else lives.
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

void do_aside(EventLoop& loop, Duration patience, std::function<void()> work, EventLoop::Work done) {
  const auto shared = std::make_shared<Shared>();
  shared->work = std::move(work);
  if (!begin(shared)) return done();
  // Whoever is first, the answer or the end of our patience, takes the watch away, and with it the other.
  const auto watch = std::make_shared<EventLoop::WatchId>();
  const auto answer = std::make_shared<EventLoop::Work>([&loop, shared, watch, done = std::move(done)] {
    loop.forget(*watch);
    done();
  });
  *watch = loop.watch(shared->finished.get(), [answer] { (*answer)(); });
  loop.after(patience, [weak = std::weak_ptr(answer)] {
    if (const auto late = weak.lock()) (*late)();
  });
}

}  // namespace ym::local
