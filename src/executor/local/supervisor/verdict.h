// How an ending is classified. A pure function.
#pragma once

#include <cstdint>
#include <optional>

#include "base/result.h"
#include "executor/local/supervisor/stop_plan.h"
#include "model/job.h"

namespace ym::local {

struct Ending {
  int wait_status = 0;  // as waitpid gives it
  std::optional<WhyStopped> stopped;
  bool forced = false;            // it was killed when its grace was over
  bool out_of_memory = false;     // the kernel killed one of its processes for want of memory
  std::int64_t memory_limit = 0;  // in bytes, of its control group; 0: that has none
  bool shell = false;             // `run` was a string
};

// `at` is left for the caller.
TaskExit classify(const Ending& ending);

// User code never ran: what start_job said.
TaskExit could_not_start(const Error& error);

// The same: the kernel killed what was to become user code, at this memory limit.
TaskExit had_too_little_memory(std::int64_t limit_bytes);

// The same: the launcher did not get the attempt's port, so it started no user code.
TaskExit port_was_taken(std::int64_t port);

// How many processes of this machine the kernel has killed for want of memory, ever.
std::int64_t machine_oom_kills();

}  // namespace ym::local
