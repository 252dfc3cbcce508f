// do_aside: calls that may block, each on a thread of its own.
#pragma once

#include <functional>

#include "executor/local/machine/event_loop.h"

namespace ym::local {

// Calls `work` on another thread. Calls `done` on the loop's thread when `work` has returned or after `timeout`. After
// the timeout `work` goes on, so both must share the data that they touch. If no thread is available, only `done` is
// called, at once. Loop's thread only; `done` is not called after the loop has stopped.
void do_blocking(EventLoop& loop, Duration timeout, std::function<void()> work, EventLoop::Work done);

}  // namespace ym::local
