// The faults of a run, and their times.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>

#include "base/time.h"
#include "fault_injection/steps.h"

namespace ym::sim {

// The server is killed at the n-th commit with this step, counted from now.
struct DieAtStep {
  Step step = Step::submit;
  Moment moment = Moment::before;
  std::int32_t nth = 1;
  bool with_power = false;  // the machine loses power, too: unflushed writes are lost
};
struct DieNow {
  bool with_power = false;
};
// Writes to the disk fail, from the n-th on.
struct DiskFails {
  std::int32_t after_writes = 0;
  bool is_full = true;  // else input/output errors
  Duration lasts;
};
// The wall clock is set. The next server uses it.
struct ClockJumps {
  Duration by;
};
// Observations of executors arrive late, twice, or out of order.
struct RepliesSuffer {
  Duration latest{};
  std::int32_t doubled_percent = 0;
  bool disorder = false;  // also within one attempt
  Duration lasts;
};
struct ContactIsCut {
  Duration lasts;
};
// A task of a running attempt dies on its machine.
struct TaskDies {};
// An executor reports something impossible, about a known or an unknown attempt.
struct ExecutorLies {};

using FaultKind =
    std::variant<DieAtStep, DieNow, DiskFails, ClockJumps, RepliesSuffer, ContactIsCut, TaskDies, ExecutorLies>;

// "F1 killed before the commit: admit": the name under which the fault is counted.
std::string describe(const FaultKind& fault);

// Number of times for each fault.
using FaultCounts = std::map<std::string, std::int64_t>;

}  // namespace ym::sim
