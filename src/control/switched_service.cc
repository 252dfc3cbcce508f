#include "control/switched_service.h"

#include <algorithm>
#include <utility>

#include "control/event_listeners.h"

namespace ym {
namespace {

constexpr std::size_t kPage = 1000;

}  // namespace

// Outlives the door: a service may be about to tell it something.
class SwitchedService::Relay {
 public:
  std::shared_ptr<void> add(EventListener listener) { return listeners_.add(std::move(listener)); }

  void tell(const std::vector<Event>& events) {
    const std::lock_guard lock(mutex_);
    pass_on(events);
  }

  // What `service` tells from now on, and what it knows already, behind what was told before.
  std::shared_ptr<void> begin_with(Service& service, const std::shared_ptr<Relay>& self, bool first) {
    const std::lock_guard lock(mutex_);
    auto handle = service.listen([self](const std::vector<Event>& events) { self->tell(events); });
    const auto newest = service.last_seq();
    if (first) told_ = newest;
    while (told_ < newest) {
      const auto page = service.events({.after = told_}, kPage);
      // Who misses something sees so by the numbers, and asks the store.
      if (!page || page->items.empty()) told_ = newest;
      else pass_on(page->items);
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
  std::uint64_t told_ = 0;  // up to this one
};

SwitchedService::SwitchedService() : relay_(std::make_shared<Relay>()) {}

SwitchedService::~SwitchedService() = default;

void SwitchedService::set(std::shared_ptr<Service> service) {
  std::shared_ptr<Service> before;
  {
    const std::lock_guard lock(mutex_);
    before = std::exchange(service_, service);
  }
  listening_ = relay_->begin_with(*service, relay_, before == nullptr);
}

std::shared_ptr<Service> SwitchedService::now_serving() const {
  const std::lock_guard lock(mutex_);
  return service_;
}

void SwitchedService::execute(Caller caller, Command command, Reply reply) {
  now_serving()->execute(std::move(caller), std::move(command), std::move(reply));
}

void SwitchedService::compare(engine::PolicyChange change, CompareReply reply) {
  now_serving()->compare(std::move(change), std::move(reply));
}

std::shared_ptr<void> SwitchedService::listen(EventListener listener) { return relay_->add(std::move(listener)); }

}  // namespace ym
