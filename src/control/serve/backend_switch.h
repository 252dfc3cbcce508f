// BackendSwitch: the server that answers now. A server stands by first, then it leads.
#pragma once

#include <memory>
#include <mutex>

#include "control/serve/backend.h"

namespace ym {

// Thread-safe.
class BackendSwitch {
 public:
  BackendSwitch();
  ~BackendSwitch();

  // From now on this backend answers. Listeners stay: they get each event once and in order, including events that the
  // backend before has not passed on.
  void set(std::shared_ptr<const Backend> backend);

  // Call this once for each request, so that one server answers all of it. A longer task (a feed, a stream) calls it
  // again for each look. Otherwise it would keep the old server alive and get no new events. Precondition: set() was
  // called.
  std::shared_ptr<const Backend> current() const;

  // The listener is called until the handle is destroyed, also by later backends.
  std::shared_ptr<void> listen(EventListener listener);
  // The number of listeners.
  std::size_t listeners() const;

 private:
  class Relay;

  const std::shared_ptr<Relay> relay_;
  mutable std::mutex mutex_;
  std::shared_ptr<const Backend> backend_;
  std::shared_ptr<void> listening_;
};

}  // namespace ym
