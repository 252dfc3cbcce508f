#include "control/serve/event_listeners.h"

#include <algorithm>
#include <utility>

namespace ym {

std::shared_ptr<void> EventListeners::add(EventListener listener) {
  auto handle = std::make_shared<EventListener>(std::move(listener));
  const std::lock_guard lock(mutex_);
  listeners_.push_back(handle);
  return handle;
}

// Calls listeners without the lock: a listener may be the last owner of its handle, or add another listener.
void EventListeners::tell(const std::vector<Event>& events) {
  std::vector<std::shared_ptr<EventListener>> living;
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(listeners_, [](const auto& listener) { return listener.expired(); });
    for (const auto& listener : listeners_)
      if (auto alive = listener.lock()) living.push_back(std::move(alive));
  }
  for (const auto& listener : living) (*listener)(events);
}

std::size_t EventListeners::size() const {
  const std::lock_guard lock(mutex_);
  return static_cast<std::size_t>(
      std::ranges::count_if(listeners_, [](const auto& listener) { return !listener.expired(); }));
}

}  // namespace ym
