// A recorded job of Yardmaster, read from a server or from its database.
#pragma once

#include <cstdint>
#include <string>

#include "base/time.h"
#include "model/job_spec.h"
#include "model/states.h"

namespace ym {

struct RecordedJob {
  std::string id, owner;
  JobSpec spec;  // as submitted; for an array, the spec of one member
  Instant submitted_at, ended_at;
  Duration run_time;  // sum over its attempts, without repeated work
  bool failed = false;

  // Adds an attempt with `tasks` tasks that ran for the time `held`. Precondition: `spec` is set.
  void add_attempt(Duration held, std::int64_t tasks, double lost_gpu_ms);
  // Sets the result. Call it after add_attempt for all attempts.
  void ends_as(JobState state);
};

}  // namespace ym
