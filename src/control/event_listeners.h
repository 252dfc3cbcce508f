// Who wants to be told of new events.
#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <vector>

#include "control/service.h"

namespace ym {

// Thread-safe.
class EventListeners {
 public:
  // It is called until the handle is destroyed.
  std::shared_ptr<void> add(EventListener listener);
  void tell(const std::vector<Event>& events);

 private:
  std::mutex mutex_;
  std::list<std::weak_ptr<EventListener>> listeners_;
};

}  // namespace ym
