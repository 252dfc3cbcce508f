#include "api/sse.h"

#include <chrono>

#include "control/serve/event_viewer.h"

namespace ym::api {
namespace {

// A stored event may contain a spec of up to 1 MiB. It is rendered without the spec.
constexpr std::size_t kStoreEvents = 64;

class EventStream final : public BodyStream {
 public:
  EventStream(BackendSwitch& backends, Feed& feed, Caller caller, Watch watch)
      : backends_(backends), feed_(feed), caller_(std::move(caller)), watch_(watch) {}

  void start(std::function<void()> wake) override { subscription_ = feed_.subscribe(std::move(wake)); }

  Piece next() override {
    Piece piece;
    if (!backends_.current()->reads.is_valid(caller_)) return piece;  // it ends
    if (!std::exchange(greeted_, true)) piece.data = "retry: 1000\n\n";
    subscription_->arm();
    piece.state = advance(piece.data);
    const auto now = Clock::now();
    const auto quiet = std::chrono::duration_cast<std::chrono::milliseconds>(now - sent_at_).count();
    if (piece.data.empty() && piece.state == State::wait && quiet >= watch_.heartbeat.ms) piece.data = ": alive\n\n";
    if (!piece.data.empty()) sent_at_ = now;
    piece.wait = piece.data.empty() ? Duration{watch_.heartbeat.ms - quiet} : watch_.heartbeat;
    return piece;
  }

 private:
  using Clock = std::chrono::steady_clock;

  State advance(std::string& out) {
    const Feed::Window window = subscription_->read(watch_.after);
    if (!window.covered) return advance_by_store(out);
    if (window.entries.empty()) return State::wait;
    const auto backend = backends_.current();
    EventViewer viewer(backend->reads, caller_);
    for (const auto& entry : window.entries) {
      if (!watch_.job || watch_.job == job_of(entry.event->payload)) {
        const auto sight = viewer.sight_of(*entry.event);
        if (!sight) return State::end;
        if (*sight == Visibility::whole) out += *entry.text;
        if (*sight == Visibility::outline) out += render_sse(*entry.event, EventParts::outline);
      }
      watch_.after = entry.event->seq;
    }
    return State::more;
  }

  State advance_by_store(std::string& out) {
    const auto backend = backends_.current();
    // Read before the page: every event up to here is in the page or not about this job.
    const std::uint64_t known = backend->reads.last_seq();
    if (known <= watch_.after) return State::wait;
    const auto page = backend->reads.events(caller_, {.job = watch_.job, .after = watch_.after}, kStoreEvents);
    const bool has_gap = !page || (!watch_.job && page->first != watch_.after + 1);
    if (has_gap) return State::end;
    for (const SeenEvent& seen : page->items)
      out += render_sse(seen.event, seen.outline ? EventParts::outline : EventParts::all);
    watch_.after = std::max(watch_.after, page->last);
    if (watch_.job && !page->more) watch_.after = std::max(watch_.after, known);
    return State::more;
  }

  BackendSwitch& backends_;
  Feed& feed_;
  const Caller caller_;
  Watch watch_;
  std::unique_ptr<Feed::Subscription> subscription_;
  Clock::time_point sent_at_ = Clock::now();
  bool greeted_ = false;
};

}  // namespace

std::unique_ptr<BodyStream> watch_events(BackendSwitch& backends, Feed& feed, Caller caller, Watch watch) {
  return std::make_unique<EventStream>(backends, feed, std::move(caller), watch);
}

}  // namespace ym::api
