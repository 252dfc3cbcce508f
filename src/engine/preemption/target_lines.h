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
  Index slot = kNone;
  Index shape = kNone;
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

// By queue. Of queues that do not exist or have become cohorts there are none.
std::vector<std::vector<Contender>> lines_of(Cycle& cycle);
// What holds its place whatever is chosen: attempts that nothing can stop, and places that are kept.
void charge_fixed(const Cycle& cycle, TargetBooks& books);

}  // namespace ym::engine
