// Aside: work that may hang, on a thread of its own.
#pragma once

#include <functional>

#include "executor/local/event_loop.h"

namespace ym::local {

// Calls `work` on another thread, and `done` on the loop's when it has returned, or when
// `patience` is over: then the work goes on, so both share what they touch. Loop's thread
// only; `done` is not called after the loop has stopped. Where no thread is to be had, only
// `done` is called, at once.
void do_aside(EventLoop& loop, Duration patience, std::function<void()> work, EventLoop::Work done);

}  // namespace ym::local
