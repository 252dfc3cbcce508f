// Pool: connections that can serve another request. Private to net. Thread-safe.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "net/transport.h"

namespace ym::net {

class Pool {
 public:
  explicit Pool(std::size_t most) : most_(most) {}

  // The connection that was used last, because its server is least likely to have closed it; null if none is open.
  std::unique_ptr<Transport> take();
  void put(std::unique_ptr<Transport> transport);

 private:
  struct Kept {
    std::unique_ptr<Transport> transport;
    SteadyTime since;
  };

  const std::size_t most_;
  std::mutex mutex_;
  std::vector<Kept> kept_;  // oldest first
};

}  // namespace ym::net
