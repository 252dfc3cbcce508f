#include "api/feed.h"

#include "api/json/render.h"
#include "control/serve/backend_switch.h"

namespace ym::api {
namespace {

constexpr std::size_t kRingEvents = 4096;
constexpr std::size_t kRingBytes = std::size_t{16} << 20;
constexpr std::size_t kInboxEvents = 8192;
constexpr std::size_t kWindowEvents = 256;
constexpr std::size_t kWindowBytes = std::size_t{32} << 10;

}  // namespace

// Control's thread only copies events into the inbox. A thread of the API renders them. Without subscribers nothing is
// copied.
class Feed::Ring : public std::enable_shared_from_this<Ring> {
 public:
  explicit Ring(Post post) : post_(std::move(post)) {}

  void offer(const std::vector<Event>& events);
  void attach(Subscription& subscription);
  void detach(Subscription& subscription);
  Window read(std::uint64_t after);

 private:
  void drain();
  void append(std::vector<Event> events);
  void notify();

  const Post post_;
  std::mutex mutex_;
  std::vector<Event> inbox_;
  bool draining_ = false;
  std::deque<Entry> entries_;  // dense in seq
  std::size_t bytes_ = 0;
  std::set<Subscription*> subscribers_;
};

void Feed::Ring::offer(const std::vector<Event>& events) {
  const std::lock_guard lock(mutex_);
  if (subscribers_.empty() || events.empty()) return;
  if (inbox_.size() + events.size() > kInboxEvents) {
    // Rendering is too slow: drop the events here. append() sees the gap, and subscribers read the missing events from
    // the store.
    inbox_.clear();
  } else {
    inbox_.insert(inbox_.end(), events.begin(), events.end());
  }
  if (std::exchange(draining_, true)) return;
  post_([weak = weak_from_this()] {
    if (const auto ring = weak.lock()) ring->drain();
  });
}

void Feed::Ring::drain() {
  for (;;) {
    std::vector<Event> events;
    {
      const std::lock_guard lock(mutex_);
      events.swap(inbox_);
      if (events.empty()) {
        draining_ = false;
        break;
      }
    }
    append(std::move(events));
  }
  notify();
}

void Feed::Ring::append(std::vector<Event> events) {
  std::vector<Entry> fresh;
  fresh.reserve(events.size());
  for (Event& event : events) {
    auto text = std::make_shared<const std::string>(render_sse(event, EventParts::all));
    fresh.push_back({std::make_shared<const Event>(std::move(event)), std::move(text)});
  }
  const std::lock_guard lock(mutex_);
  if (subscribers_.empty()) return;
  for (auto& entry : fresh) {
    if (!entries_.empty() && entries_.back().event->seq + 1 != entry.event->seq) {
      entries_.clear();
      bytes_ = 0;
    }
    bytes_ += entry.text->size();
    entries_.push_back(std::move(entry));
    while (entries_.size() > kRingEvents || bytes_ > kRingBytes) {
      bytes_ -= entries_.front().text->size();
      entries_.pop_front();
    }
  }
}

void Feed::Ring::notify() {
  const std::lock_guard lock(mutex_);
  for (auto* subscription : subscribers_) {
    if (subscription->armed_.exchange(false)) subscription->wake_();
  }
}

void Feed::Ring::attach(Subscription& subscription) {
  const std::lock_guard lock(mutex_);
  subscribers_.insert(&subscription);
}

void Feed::Ring::detach(Subscription& subscription) {
  const std::lock_guard lock(mutex_);
  subscribers_.erase(&subscription);
  if (!subscribers_.empty()) return;
  entries_.clear();
  inbox_.clear();
  bytes_ = 0;
}

Feed::Window Feed::Ring::read(std::uint64_t after) {
  const std::lock_guard lock(mutex_);
  if (entries_.empty() || entries_.front().event->seq > after + 1) return {};
  Window window;
  window.covered = true;
  std::size_t bytes = 0;
  for (std::size_t i = after + 1 - entries_.front().event->seq; i < entries_.size(); ++i) {
    if (window.entries.size() == kWindowEvents || bytes > kWindowBytes) break;
    bytes += entries_[i].text->size();
    window.entries.push_back(entries_[i]);
  }
  return window;
}

Feed::Subscription::Subscription(std::shared_ptr<Ring> ring, std::function<void()> wake)
    : ring_(std::move(ring)), wake_(std::move(wake)) {
  ring_->attach(*this);
}

Feed::Subscription::~Subscription() { ring_->detach(*this); }

void Feed::Subscription::arm() { armed_ = true; }

Feed::Window Feed::Subscription::read(std::uint64_t after) const { return ring_->read(after); }

Feed::Feed(BackendSwitch& backends, Post post)
    : ring_(std::make_shared<Ring>(std::move(post))),
      listening_(backends.listen([ring = ring_](const std::vector<Event>& events) { ring->offer(events); })) {}

Feed::~Feed() = default;

std::unique_ptr<Feed::Subscription> Feed::subscribe(std::function<void()> wake) {
  return std::make_unique<Subscription>(ring_, std::move(wake));
}

std::string render_sse(const Event& event, EventParts parts) {
  JsonWriter json;
  write_event(json, event, parts);
  return fmt::format("id: {}\nevent: {}\ndata: {}\n\n", event.seq, type_name(event.payload), std::move(json).take());
}

}  // namespace ym::api
