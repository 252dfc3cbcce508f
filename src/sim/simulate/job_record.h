// The outcome of a job in a simulation.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/time.h"
#include "model/ids.h"
#include "model/states.h"

namespace ym::sim {

struct JobRecord {
  JobId id;
  std::string trace_id;  // empty: the trace has none
  std::string user, queue;
  std::int64_t gpu_milli = 0;  // of the whole gang, at its largest size
  std::int32_t nodes = 1;
  std::int32_t priority = 0;
  Duration run_time;  // without interruptions
  Instant submitted_at;
  std::optional<Instant> started_at;  // first start of user code
  Instant ended_at;
  JobState state = JobState::queued;
  std::int32_t attempts = 0;
  std::int32_t preemptions = 0;
  std::int64_t used_gpu_ms = 0;  // GPU time that it held, from the admission to the end of each attempt
  std::int64_t lost_gpu_ms = 0;  // the part that interruptions cost; for jobs that ran to their end
  std::int64_t cost_micros = 0;  // at the prices of the flavors, from the start to the end of each attempt
  std::optional<Instant> deadline{};
};

}  // namespace ym::sim
