// FreeIntervals: when nodes on which something is promised have room for a task beside that. Remembered for all who
// look for room for the same task, and from cycle to cycle: a cycle promises mostly what the one before it promised. A
// copy of the state begins with none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/state/minute.h"
#include "engine/state/node_need.h"
#include "engine/state/room_book.h"

namespace ym::engine {

// There is room at each minute of [begin, end).
struct FreeInterval {
  Minute begin = 0, end = kNoMinute;
};

class FreeIntervals {
 public:
  FreeIntervals() = default;
  FreeIntervals(const FreeIntervals&) {}
  FreeIntervals& operator=(const FreeIntervals&) { return *this = FreeIntervals(); }
  FreeIntervals(FreeIntervals&&) = default;
  FreeIntervals& operator=(FreeIntervals&&) = default;
  ~FreeIntervals() = default;

  // What they hold for: these machines, as often as they have changed, and the minute of the clock that is running.
  struct Basis {
    std::uint64_t machines = 0;
    RoomBook::Rules rules;
    std::int64_t minute = 0;
    bool operator==(const Basis&) const = default;
  };
  // Forgets what does not hold any more. To be called when a cycle begins, before anything is promised in it.
  void follow(const Basis& basis, Instant now);

  // All that is promised of one node, as a number: 0 for nothing. Until `follow` forgets it, it is never used for
  // something else.
  using Promises = std::uint32_t;
  // What a holder is promised of a node.
  struct Promise {
    std::uint32_t need = 0;  // its place among `needs`
    Minute from = 0, until = kNoMinute;
    bool operator==(const Promise&) const = default;
  };
  // Of the node, this beside those: the same number as before for the same promises in the same order.
  Promises with(NodeIndex node, Promises those, const Promise& more);
  std::uint32_t need_index(const NodeNeed& need);
  const std::vector<NodeNeed>& needs() const { return needs_; }
  // What is found when a node is looked at.
  struct Seen {
    std::vector<FreeInterval> free_intervals;  // by time
    Instant holds_until;                       // by then time alone may change them
  };

  // Those for one task. They stay where they are until another task is asked about.
  class OfTask {
   public:
    OfTask(const NodeNeed& task, Instant now) : task_(task), now_(now) {}
    const NodeNeed& task() const { return task_; }
    // Of the node that has these promises, and of which something was taken or given back so often; nothing: that is
    // not known. They stay until the next `note`.
    std::optional<std::span<const FreeInterval>> find(Promises promises, std::uint32_t touched) const {
      const std::size_t at = promises % kMostKnown;
      if (at >= known_.size() || known_[at].promises != promises) return std::nullopt;
      const Known& known = known_[at];
      if (now_ >= known.holds_until || known.touched != touched) return std::nullopt;
      return std::span(all_.data() + known.begin, known.size);
    }
    std::span<const FreeInterval> note(Promises promises, std::uint32_t touched, const Seen& seen);

   private:
    // With a reservation for each job there are many: then one takes the place of another.
    static constexpr std::size_t kMostKnown = std::size_t{1} << 15, kMostFreeIntervals = 8 * kMostKnown;
    struct Known {
      Instant holds_until{};
      Promises promises = 0;
      std::uint32_t touched = 0;
      std::uint32_t begin = 0, size = 0;
    };

    NodeNeed task_;
    Instant now_;
    std::vector<Known> known_;  // by promises, modulo
    std::vector<FreeInterval> all_;

    friend class FreeIntervals;
  };
  OfTask& of(const NodeNeed& task);

 private:
  // Promises of a node, as the last of them; which there were before it is where it hangs.
  struct Step {
    Promise promise;
    Promises with_more = 0, instead = 0;  // the first with one more; the next with another in its place
  };

  Basis basis_;
  Instant now_;
  std::vector<NodeNeed> needs_;                // that are promised, each once
  std::vector<Step> steps_{{}};                // by promises
  IndexedVector<NodeIndex, Promises> firsts_;  // the first with one
  std::vector<OfTask> tasks_;
};

}  // namespace ym::engine
