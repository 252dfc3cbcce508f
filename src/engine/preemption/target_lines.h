// The contenders for a target, by queue, in the order of the queue.
#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

#include "engine/cycle/cycle.h"
#include "engine/preemption/preemptible_jobs.h"
#include "engine/preemption/target_books.h"

namespace ym::engine {

// A running job that may be stopped, or a waiting one that no limit or budget holds back.
struct Contender {
  Slot slot = kNone;
  ShapeIndex shape = kNone;
  bool waits = false;
  std::int32_t priority = 0;
  Instant submitted_at;
  JobId id;
  const Footprint* place = nullptr;  // null: it waits
  Counts counts = Counts::all;
  Loss loss;      // of a running job
  Instant since;  // since when it waits, or runs

  // Order among equally urgent contenders; less goes first. Of running jobs it is the price of a stop, reversed.
  auto order() const { return std::tuple(waits, -loss.gpu_ms, -loss.cpu_ms, since, waits ? id.value : ~id.value); }
};

// By queue. A queue that does not exist or has become a cohort has no contenders.
using ContenderLines = IndexedVector<QueueIndex, std::vector<Contender>>;
ContenderLines lines_of(const Cycle& cycle);
// Charges what keeps its place in any case: attempts that cannot be stopped, and nominated placements.
void charge_fixed(const Inputs& in, const PendingEntries& pending, const Tried& tried, TargetBooks& books);

}  // namespace ym::engine
