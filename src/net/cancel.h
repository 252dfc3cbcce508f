// Notifies a waiting call that it was cancelled. Private to net.
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
  std::mutex mutex;  // guards the members below
  std::uint64_t next = 0;
  std::map<std::uint64_t, std::function<void()>> watchers;
};

// While it exists, cancel() calls `wake` on its own thread. After the destructor `wake` does not run any more. If it
// was cancelled before, `wake` is not called: check cancelled() after you made the watch.
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
