// Feed: sends committed events to clients that watch.
//
// A bounded ring holds the newest events, rendered once. A subscriber is only a cursor. A subscriber that falls behind
// the ring reads from the store until it has caught up. So no event is lost or repeated, and a slow reader costs no
// memory.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "api/json/render.h"
#include "model/event.h"

namespace ym {
class BackendSwitch;
}

namespace ym::api {

class Feed {
 public:
  // Runs a task on another thread.
  using Post = std::function<void(std::function<void()>)>;

  struct Entry {
    std::shared_ptr<const Event> event;
    std::shared_ptr<const std::string> text;  // the whole event as server-sent event
  };
  // The ring's entries after a cursor. Not covered: the ring begins later; read from the store.
  struct Window {
    bool covered = false;
    std::vector<Entry> entries;
  };

  class Ring;

  // Watches as long as it exists. One thread at a time.
  class Subscription {
   public:
    Subscription(std::shared_ptr<Ring> ring, std::function<void()> wake);
    ~Subscription();
    Subscription(const Subscription&) = delete;
    Subscription& operator=(const Subscription&) = delete;

    // The next new event calls `wake`, once. First call arm(), then read: an event in between calls `wake`.
    void arm();
    Window read(std::uint64_t after) const;

   private:
    friend class Ring;
    std::shared_ptr<Ring> ring_;
    std::function<void()> wake_;
    std::atomic<bool> armed_{false};
  };

  // Listens to the backend that is current, until it is destroyed.
  Feed(BackendSwitch& backends, Post post);
  ~Feed();

  std::unique_ptr<Subscription> subscribe(std::function<void()> wake);

 private:
  std::shared_ptr<Ring> ring_;
  std::shared_ptr<void> listening_;
};

// "id: 7\nevent: job.submitted\ndata: {...}\n\n"
std::string render_sse(const Event& event, EventParts parts);

}  // namespace ym::api
