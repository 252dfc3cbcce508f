// A job of Yardmaster's own history, wherever it was read: from a server or from its database.
#pragma once

#include <string>

#include "base/time.h"
#include "model/job_spec.h"
#include "model/states.h"

namespace ym {

struct RecordedJob {
  std::string id, owner;
  JobSpec spec;  // as it was submitted; of an array that of one member
  Instant submitted_at, ended_at;
  Duration run_time;  // of all its attempts together, without what was done again
  bool failed = false;

  // An attempt was there for so long, on so many GPUs.
  void add_attempt(Duration held, std::int64_t gpus, double lost_gpu_ms);
  // After its attempts.
  void ends_as(JobState state);
};

}  // namespace ym
