// What is made to go wrong in a world, and when.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>

#include "base/time.h"
#include "worlds/steps.h"

namespace ym::sim {

// The server is killed at the n-th commit with this step from now on.
struct DieAtStep {
  Step step = Step::submit;
  Moment moment = Moment::before;
  std::int32_t nth = 1;
  bool with_power = false;  // the machine's power goes with it: what was not flushed is lost
};
struct DieNow {
  bool with_power = false;
};
// Writes of the disk fail, from the n-th on.
struct DiskFails {
  std::int32_t after_writes = 0;
  bool is_full = true;  // else input/output errors
  Duration lasts;
};
// The wall clock is set; the next server goes by it.
struct ClockJumps {
  Duration by;
};
// What executors have to tell arrives late, twice, or out of order.
struct RepliesSuffer {
  Duration latest{};
  std::int32_t doubled_percent = 0;
  bool disorder = false;  // of one attempt too
  Duration lasts;
};
struct ContactIsCut {
  Duration lasts;
};
// A task of something that runs dies on its machine.
struct TaskDies {};
// An executor says something that cannot be, of something that it runs or of nothing.
struct ExecutorLies {};

using FaultKind =
    std::variant<DieAtStep, DieNow, DiskFails, ClockJumps, RepliesSuffer, ContactIsCut, TaskDies, ExecutorLies>;

// "F1 killed before the commit: admit": under which it is counted.
std::string describe(const FaultKind& fault);

// How often each fault was there.
using FaultCounts = std::map<std::string, std::int64_t>;

}  // namespace ym::sim
