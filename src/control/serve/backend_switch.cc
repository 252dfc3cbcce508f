#include "control/serve/backend_switch.h"

#include <algorithm>
#include <utility>

namespace ym {
namespace {

constexpr std::size_t kPageOfTheRest = 1000;

}  // namespace

// Outlives the switch, because a server may still be passing events to it.
class BackendSwitch::Relay {
 public:
  std::shared_ptr<void> add(EventListener listener) { return listeners_.add(std::move(listener)); }
  std::size_t size() const { return listeners_.size(); }

  void tell(const std::vector<Event>& events) {
    const std::lock_guard lock(mutex_);
    pass_on(events);
  }

  // Passes on the events of `reads` from now on. Before that it passes on the known events that listeners have not got
  // yet; if `first`, there are none.
  std::shared_ptr<void> begin_with(const Reads& reads, const std::shared_ptr<Relay>& self, bool first) {
    const std::lock_guard lock(mutex_);
    auto handle = reads.listen([self](const std::vector<Event>& events) { self->tell(events); });
    const auto newest = reads.last_seq();
    if (first) told_ = newest;
    while (told_ < newest) {
      const auto page = reads.stored_events({.after = told_}, kPageOfTheRest);
      // A listener sees a gap by the numbers, and reads the store.
      if (!page || page->empty()) told_ = newest;
      else pass_on(*page);
    }
    return handle;
  }

 private:
  void pass_on(const std::vector<Event>& events) {
    const auto fresh = std::ranges::upper_bound(events, told_, {}, &Event::seq);
    if (fresh == events.end()) return;
    told_ = events.back().seq;
    if (fresh == events.begin()) listeners_.tell(events);
    else listeners_.tell({fresh, events.end()});
  }

  EventListeners listeners_;
  std::mutex mutex_;
  std::uint64_t told_ = 0;  // the newest event that listeners have got
};

BackendSwitch::BackendSwitch() : relay_(std::make_shared<Relay>()) {}

BackendSwitch::~BackendSwitch() = default;

void BackendSwitch::set(std::shared_ptr<const Backend> backend) {
  std::shared_ptr<const Backend> before;
  {
    const std::lock_guard lock(mutex_);
    before = std::exchange(backend_, backend);
  }
  listening_ = relay_->begin_with(backend->reads, relay_, before == nullptr);
}

std::shared_ptr<const Backend> BackendSwitch::current() const {
  const std::lock_guard lock(mutex_);
  return backend_;
}

std::shared_ptr<void> BackendSwitch::listen(EventListener listener) { return relay_->add(std::move(listener)); }

std::size_t BackendSwitch::listeners() const { return relay_->size(); }

}  // namespace ym
