// BorrowerGroups: running jobs of queues that use more than their nominal quota. The jobs of a group are alike for a
// job that reclaims quota: they use the same kinds of resources of the same flavors in one queue.
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

// How many jobs of one priority are protected from a stop, by the protection. Each job counts once.
struct Tally {
  std::size_t stopping = 0;        // cancelled
  std::size_t unreachable = 0;     // contact with it is lost
  std::size_t unpreemptible = 0;   // it does not let others stop it
  std::size_t stopped_often = 0;   // it was stopped as often as allowed within an hour
  std::size_t in_min_runtime = 0;  // the minimum run time of its queue or its spec is not over
  // Not protected, as far as this job alone is concerned: by the time of its last stop.
  struct Stoppable {
    std::size_t jobs = 0;
    std::vector<ResourceVector> amounts;  // by flavor of the group
  };
  std::map<Instant, Stoppable> stoppable;
  // When the first protection ends; kNever: no protection ends by time alone.
  Instant often_until = kNever, min_runtime_until = kNever;

  std::size_t all() const {
    std::size_t sum = stopping + unreachable + unpreemptible + stopped_often + in_min_runtime;
    for (const auto& [stopped_at, some] : stoppable) sum += some.jobs;
    return sum;
  }
};

struct BorrowerGroup {
  QueueIndex queue = kNone;
  Flavors flavors;
  bool leaving = false;              // all its jobs are being stopped
  const Footprint* place = nullptr;  // of one of its jobs
  std::vector<Slot> members;         // slots, in any order
  Instant last_stop = kNotStopped;   // of any of its jobs
  // By priority; filled on the first call.
  std::optional<std::map<std::int32_t, Tally>> tallies{};
};

// For a cycle at its end, which must outlive it. A tree of queues is searched on the first call for it, and protections
// are counted on the first call for a group.
class BorrowerGroups {
 public:
  BorrowerGroups(const Inputs& in, const Tried& tried) : in_(in), tried_(tried) {}

  // The groups of the tree with this root.
  std::span<BorrowerGroup> of(QueueIndex root);
  // Precondition: the group comes from `of`, and is not `leaving`.
  const std::map<std::int32_t, Tally>& tallies(BorrowerGroup& group) const;

 private:
  void find_borrowing();
  std::vector<BorrowerGroup> find(QueueIndex root) const;
  const Footprint& place_of(Slot slot) const;
  void count(Slot slot, const BorrowerGroup& group, Tally& tally) const;

  const Inputs& in_;
  const Tried& tried_;
  std::optional<std::map<QueueIndex, std::vector<QueueIndex>>> borrowing_;  // by root: queues
  std::map<QueueIndex, std::vector<BorrowerGroup>> known_;                  // by root
};

}  // namespace ym::engine
