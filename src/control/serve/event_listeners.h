// The listeners to new events.
#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

#include "model/event.h"

namespace ym {

// Gets the new events after each commit. Called from the control thread; must return quickly.
using EventListener = std::function<void(const std::vector<Event>&)>;

// Thread-safe.
class EventListeners {
 public:
  // The listener is called until the handle is destroyed.
  std::shared_ptr<void> add(EventListener listener);
  void tell(const std::vector<Event>& events);
  // The number of listeners.
  std::size_t size() const;

 private:
  mutable std::mutex mutex_;
  std::list<std::weak_ptr<EventListener>> listeners_;
};

}  // namespace ym
