// Classifies an end. A pure function.
#pragma once

#include <cstdint>
#include <optional>

#include "base/result.h"
#include "executor/local/supervisor/stop_plan.h"
#include "model/job.h"

namespace ym::local {

struct Ending {
  int wait_status = 0;  // as waitpid returns it
  std::optional<WhyStopped> stopped;
  bool forced = false;            // killed after the grace
  bool out_of_memory = false;     // the kernel killed a process of it because memory ran out
  std::int64_t memory_limit = 0;  // of its control group, in bytes; 0: no limit
  bool shell = false;             // `run` was a string
};

// The caller sets `at`.
TaskExit classify(const Ending& ending);

// User code never ran: `error` is from start_job().
TaskExit could_not_start(const Error& error);

// User code never ran: the kernel killed its process before exec, at this memory limit.
TaskExit had_too_little_memory(std::int64_t limit_bytes);

// User code never ran: the launcher did not get the port of the attempt.
TaskExit port_was_taken(std::int64_t port);

// How many processes of this machine the kernel has killed because memory ran out, since boot.
std::int64_t machine_oom_kills();

}  // namespace ym::local
