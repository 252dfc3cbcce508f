// BackendSwitch: which server answers now. A server stands by first, then it leads.
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

  // From now on this one answers. Listeners stay: they are told of each event once and in order, also of those that the
  // one before has not told.
  void set(std::shared_ptr<const Backend> backend);

  // Asked once for each request, so that one server answers all of it. What lasts longer (a feed, a stream) asks again
  // with each look, or it would keep the server before alive and be told nothing new. Precondition: set() was called.
  std::shared_ptr<const Backend> current() const;

  // The listener is called until the handle is destroyed, whoever answers.
  std::shared_ptr<void> listen(EventListener listener);
  // How many listen.
  std::size_t listeners() const;

 private:
  class Relay;

  const std::shared_ptr<Relay> relay_;
  mutable std::mutex mutex_;
  std::shared_ptr<const Backend> backend_;
  std::shared_ptr<void> listening_;
};

}  // namespace ym
