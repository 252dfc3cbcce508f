// FreeIntervals: the times in which a node with reservations has room for a task besides them. All searches for the
// same task share them. They stay from cycle to cycle, as a cycle mostly makes the same reservations as the one before
// it. A copy of the state begins with none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/state/minute.h"
#include "engine/state/nodes/node_need.h"
#include "engine/state/timeline/free_times_book.h"

namespace ym::engine {

// The node has room at each minute of [begin, end).
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

  // What the intervals depend on: the version of the machines, and the current minute of the clock.
  struct Basis {
    std::uint64_t machines = 0;
    FreeTimesBook::Rules rules;
    std::int64_t minute = 0;
    bool operator==(const Basis&) const = default;
  };
  // Drops intervals that are not valid any more. Call this when a cycle begins, before it makes reservations.
  void follow(const Basis& basis, Instant now);

  // All reservations on one node; kNone: there are none. It means nothing else until `follow` drops it.
  using Promises = StrongIndex<struct PromisesTag>;
  // A need of `needs`.
  using PromisedNeed = StrongIndex<struct PromisedNeedTag>;
  // A reservation's part of a node.
  struct Promise {
    PromisedNeed need = kNone;
    Minute from = 0, until = kNoMinute;
    bool operator==(const Promise&) const = default;
  };
  // `those` plus `more` on the node. The same reservations in the same order give the same.
  Promises with(NodeIndex node, Promises those, const Promise& more);
  PromisedNeed need_index(const NodeNeed& need);
  const IndexedVector<PromisedNeed, NodeNeed>& needs() const { return needs_; }
  // Result of looking at a node.
  struct Seen {
    std::vector<FreeInterval> free_intervals;  // by time
    Instant holds_until;                       // until then time alone does not change them
  };

  // The intervals for one task. References stay valid until another task is asked for.
  class OfTask {
   public:
    OfTask(const NodeNeed& task, Instant now) : task_(task), now_(now) {}
    const NodeNeed& task() const { return task_; }
    // For a node with these reservations and this count of changes. Nothing: not known. Valid until the next `note`.
    std::optional<std::span<const FreeInterval>> find(Promises promises, std::uint32_t touched) const {
      const std::size_t at = promises.value % kMostKnown;
      if (at >= known_.size() || known_[at].promises != promises) return std::nullopt;
      const Known& known = known_[at];
      if (now_ >= known.holds_until || known.touched != touched) return std::nullopt;
      return std::span(all_.data() + known.begin, known.size);
    }
    std::span<const FreeInterval> note(Promises promises, std::uint32_t touched, const Seen& seen);

   private:
    // With a reservation for each job there are many intervals: then one replaces another.
    static constexpr std::size_t kMostKnown = std::size_t{1} << 15, kMostFreeIntervals = 8 * kMostKnown;
    struct Known {
      Instant holds_until{};
      Promises promises = kNone;
      std::uint32_t touched = 0;
      std::uint32_t begin = 0, size = 0;
    };

    NodeNeed task_;
    Instant now_;
    std::vector<Known> known_;  // index: promises modulo kMostKnown
    std::vector<FreeInterval> all_;

    friend class FreeIntervals;
  };
  OfTask& of(const NodeNeed& task);

 private:
  // A list of reservations of a node, as its last one. Its position in the tree says which come before it.
  struct Step {
    Promise promise;
    Promises with_more = kNone;  // the first list that has one more
    Promises instead = kNone;    // the next list that has another in its place
  };

  Basis basis_;
  Instant now_;
  IndexedVector<PromisedNeed, NodeNeed> needs_;  // needs of reservations, each once
  IndexedVector<Promises, Step> steps_;
  IndexedVector<NodeIndex, Promises> firsts_;  // the first list with one reservation
  std::vector<OfTask> tasks_;
};

}  // namespace ym::engine
