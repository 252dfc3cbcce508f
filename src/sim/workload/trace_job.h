// TraceJob: a job of a recorded workload, independent of the format.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/time.h"
#include "model/job_spec.h"

namespace ym::sim {

struct TraceJob {
  std::int64_t line = 0;  // of its file, for messages
  std::string id;         // in the trace; empty: none
  Instant submit_at;      // traces that count from their beginning: from 2001-01-01 (a Monday) on
  std::string user, queue;
  std::int64_t gpus = 1;
  std::int32_t nodes = 0;         // 0: not given, as few as are enough
  std::int32_t gpu_milli = 1000;  // of each GPU; less than 1000 only for a single one
  std::string gpu_types;          // "v100 | t4"; empty: any
  std::int64_t cpu_milli = 0;     // of the whole job; 0: not given
  std::int64_t memory_mib = 0;
  Duration run_time;  // with all requested resources and without interruptions
  std::optional<Duration> time_limit{};
  std::optional<Duration> deadline{};  // time after the submit
  std::optional<std::int32_t> priority{};
  bool fails = false;  // its program ends with an error
  // The recorded spec. It replaces all members except id, user, times and `fails`.
  std::shared_ptr<const JobSpec> spec{};
};

}  // namespace ym::sim
