// RefusalLog: logs refused requests and their principals. Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>

#include "api/http/handler.h"
#include "api/rate_limit.h"

namespace ym::api {

class RefusalLog {
 public:
  // Logs one line with principal, or address, route, status and code. It contains nothing of the request's content,
  // which may have secrets. In a flood only the first lines are written, and later the number of lines that were left
  // out.
  void add(const Exchange& exchange);

 private:
  RateLimit lines_{20, 200};  // of each principal
  std::atomic<std::int64_t> left_out_ = 0;
};

}  // namespace ym::api
