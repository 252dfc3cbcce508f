// Notifier: wakes requests that wait for a notice to stop.
//
// Control reports every change. Only the waiters of the affected attempt are woken.
#pragma once

#include <functional>
#include <memory>

#include "model/event.h"

namespace ym {
class BackendSwitch;
}

namespace ym::api {

// Thread-safe.
class Notifier {
 public:
  // Listens to the backend that is current, until it is destroyed.
  explicit Notifier(BackendSwitch& backends);
  ~Notifier();
  Notifier(const Notifier&) = delete;
  Notifier& operator=(const Notifier&) = delete;

  // Calls `wake` on control's thread each time the attempt gets a notice or ends, until the handle is destroyed. First
  // call watch(), then look: a change in between calls `wake`.
  std::shared_ptr<void> watch(AttemptKey attempt, std::function<void()> wake);

  class Waiters;

 private:
  std::shared_ptr<Waiters> waiters_;
  std::shared_ptr<void> listening_;
};

}  // namespace ym::api
