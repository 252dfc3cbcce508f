// Bands: jobs that run in queues which use more than their nominal quota. Those of a band are alike to whoever would
// take it back: they hold the same kinds of the same flavors in one queue.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "engine/cycle/cycle.h"
#include "engine/quota/demand.h"

namespace ym::engine {

// How many of those that have one priority are spared by what; each counts once.
struct Tally {
  std::size_t stopping = 0;        // cancelled
  std::size_t unreachable = 0;     // contact with it is lost
  std::size_t unpreemptible = 0;   // it does not let others stop it
  std::size_t stopped_often = 0;   // as often as it may be within an hour
  std::size_t in_min_runtime = 0;  // it has not run for long enough, as its queue or the job has it
  // By nothing, as far as they alone are concerned: by when they were stopped last.
  struct Stoppable {
    std::size_t jobs = 0;
    std::vector<ResourceVector> amounts;  // by flavor of the band
  };
  std::map<Instant, Stoppable> stoppable;
  // When the first of them is spared no more; kNever: time alone changes nothing for any.
  Instant often_until = kNever, min_runtime_until = kNever;

  std::size_t all() const {
    std::size_t sum = stopping + unreachable + unpreemptible + stopped_often + in_min_runtime;
    for (const auto& [stopped_at, some] : stoppable) sum += some.jobs;
    return sum;
  }
};

struct Band {
  QueueIndex queue = kNone;
  Flavors flavors;
  bool leaving = false;              // all of them stop already
  const Footprint* place = nullptr;  // of one of them
  std::vector<Slot> members;         // slots, in any order
  Instant last_stop = kNotStopped;   // of any of them
  // By priority, once it was asked for.
  std::optional<std::map<std::int32_t, Tally>> tallies{};
};

// Of a cycle at its end, which must outlive it. Each tree of queues is looked at when it is asked for, and no job of it
// before it matters what spares it.
class Bands {
 public:
  explicit Bands(const Cycle& cycle) : cycle_(cycle) {}

  // Of the tree with this root.
  std::span<Band> of(QueueIndex root);
  // Precondition: it is one of these, and does not leave.
  const std::map<std::int32_t, Tally>& tallies(Band& band) const;

 private:
  void find_borrowing();
  std::vector<Band> find(QueueIndex root) const;
  const Footprint& place_of(Slot slot) const;
  void count(Slot slot, const Band& band, Tally& tally) const;

  const Cycle& cycle_;
  std::optional<std::map<QueueIndex, std::vector<QueueIndex>>> borrowing_;  // by root: queues
  std::map<QueueIndex, std::vector<Band>> known_;                           // by root
};

}  // namespace ym::engine
