// RefusalLog: what was refused, to whom, in the server's log. Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>

#include "api/http/handler.h"
#include "api/rate_limit.h"

namespace ym::api {

class RefusalLog {
 public:
  // One line with principal, route, status and code: nothing that a request brought with
  // it, where secrets may be. Of a flood only the beginning is written, and how many there
  // were beside it.
  void add(const Exchange& exchange);

 private:
  RateLimit lines_{20, 200};  // of each principal
  std::atomic<std::int64_t> left_out_ = 0;
};

}  // namespace ym::api
