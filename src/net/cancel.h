// How a call learns that it was cancelled while it waits. Private to net.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>

#include "net/http_client.h"

namespace ym::net {

struct Cancel::Shared {
  std::atomic<bool> cancelled = false;
  std::mutex mutex;  // of what follows
  std::uint64_t next = 0;
  std::map<std::uint64_t, std::function<void()>> watchers;
};

// While it lives, cancel() calls `wake`, from its thread. `wake` is not running any more when the watch is
// gone. One that was cancelled before is not told: look at cancelled() after making the watch.
class CancelWatch {
 public:
  CancelWatch(const Cancel& cancel, std::function<void()> wake);
  ~CancelWatch();
  CancelWatch(const CancelWatch&) = delete;
  CancelWatch& operator=(const CancelWatch&) = delete;

 private:
  std::shared_ptr<Cancel::Shared> shared_;
  std::uint64_t key_ = 0;
};

}  // namespace ym::net
