// Who could be chosen for a target, queue by queue, in the order in which those of a queue are.
#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

#include "engine/cycle/cycle.h"
#include "engine/preemption/roster.h"
#include "engine/preemption/target_books.h"

namespace ym::engine {

// A job that runs and may be stopped, or waits and is not held back by a limit or a budget.
struct Contender {
  Slot slot = kNone;
  ShapeIndex shape = kNone;
  bool waits = false;
  std::int32_t priority = 0;
  Instant submitted_at;
  JobId id;
  const Footprint* place = nullptr;  // null: it waits
  Counts counts = Counts::all;
  Loss loss;      // of one that runs
  Instant since;  // it waits, or runs

  // Among those that are as urgent; less goes first. Of those that run it is the price of a stop, from behind.
  auto order() const { return std::tuple(waits, -loss.gpu_ms, -loss.cpu_ms, since, waits ? id.value : ~id.value); }
};

// By queue. A queue that does not exist or has become a cohort has none.
using ContenderLines = IndexedVector<QueueIndex, std::vector<Contender>>;
ContenderLines lines_of(Cycle& cycle);
// What holds its place whatever is chosen: attempts that nothing can stop, and places that are kept.
void charge_fixed(const Cycle& cycle, TargetBooks& books);

}  // namespace ym::engine
