#include "api/notifier.h"

#include <map>
#include <mutex>

#include "control/serve/backend_switch.h"

namespace ym::api {

// Each handle keeps this object alive, because a handle may be destroyed last.
class Notifier::Waiters {
 public:
  using Map = std::multimap<AttemptKey, std::function<void()>>;

  Map::iterator add(AttemptKey attempt, std::function<void()> wake) {
    const std::lock_guard lock(mutex_);
    return map_.emplace(attempt, std::move(wake));
  }
  void remove(Map::iterator waiter) {
    const std::lock_guard lock(mutex_);
    map_.erase(waiter);
  }
  void tell(const std::vector<Event>& events) {
    const std::lock_guard lock(mutex_);
    if (map_.empty()) return;
    for (const auto& event : events) {
      const bool matters =
          std::holds_alternative<AttemptStopping>(event.payload) || std::holds_alternative<AttemptEnded>(event.payload);
      if (!matters) continue;
      const auto [first, last] = map_.equal_range(*attempt_of(event.payload));
      for (auto it = first; it != last; ++it) it->second();
    }
  }

 private:
  std::mutex mutex_;
  Map map_;
};

Notifier::Notifier(BackendSwitch& backends)
    : waiters_(std::make_shared<Waiters>()),
      listening_(backends.listen([waiters = waiters_](const std::vector<Event>& events) { waiters->tell(events); })) {}

Notifier::~Notifier() = default;

std::shared_ptr<void> Notifier::watch(AttemptKey attempt, std::function<void()> wake) {
  const auto waiter = waiters_->add(attempt, std::move(wake));
  return {nullptr, [waiters = waiters_, waiter](std::nullptr_t) { waiters->remove(waiter); }};
}

}  // namespace ym::api
