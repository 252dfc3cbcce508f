// Feed: committed events on their way to those who watch.
//
// The newest events are kept, rendered once, in a bounded ring; a subscriber is only a
// cursor. One that falls behind the ring reads from the store until it has caught up:
// nothing is lost, nothing comes twice, and a slow reader costs no memory.
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

#include "model/event.h"

namespace ym {
class BackendSwitch;
}

namespace ym::api {

class Feed {
 public:
  // Runs a task on another thread than the caller's.
  using Post = std::function<void(std::function<void()>)>;

  struct Entry {
    std::uint64_t seq = 0;
    std::optional<JobId> job;
    std::shared_ptr<const std::string> text;  // as server-sent event
  };
  // What the ring has after a cursor. Not covered: it begins later; ask the store.
  struct Window {
    bool covered = false;
    std::vector<Entry> entries;
  };

  class Ring;

  // Someone who watches, for as long as this lives. One thread at a time.
  class Subscription {
   public:
    Subscription(std::shared_ptr<Ring> ring, std::function<void()> wake);
    ~Subscription();
    Subscription(const Subscription&) = delete;
    Subscription& operator=(const Subscription&) = delete;

    // From now on the next new event calls `wake`, once. Arm first, read then: what
    // comes in between wakes.
    void arm();
    Window read(std::uint64_t after) const;

   private:
    friend class Ring;
    std::shared_ptr<Ring> ring_;
    std::function<void()> wake_;
    std::atomic<bool> armed_{false};
  };

  // Listens until destroyed, to whichever server answers.
  Feed(BackendSwitch& backends, Post post);
  ~Feed();

  std::unique_ptr<Subscription> subscribe(std::function<void()> wake);

 private:
  std::shared_ptr<Ring> ring_;
  std::shared_ptr<void> listening_;
};

// "id: 7\nevent: job.submitted\ndata: {...}\n\n"
std::string render_sse(const Event& event);

}  // namespace ym::api
