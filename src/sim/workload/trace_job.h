// TraceJob: a job of a recorded workload, whatever the format that it was recorded in.
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
  std::string id;         // in the trace; empty: it has none
  Instant submit_at;      // of traces that count from their beginning: from 2001-01-01 (a Monday) on
  std::string user, queue;
  std::int64_t gpus = 1;
  std::int32_t nodes = 0;         // 0: not said, as few as will do
  std::int32_t gpu_milli = 1000;  // of each GPU; less only of a single one
  std::string gpu_types;          // "v100 | t4"; empty: any
  std::int64_t cpu_milli = 0;     // of the whole job; 0: not said
  std::int64_t memory_mib = 0;
  Duration run_time;  // with all that it asks for, undisturbed
  std::optional<Duration> time_limit{};
  std::optional<Duration> deadline{};  // after its submission
  std::optional<std::int32_t> priority{};
  bool fails = false;  // its program ends with an error
  // As it was submitted; then all but its id, user, times and `fails` is said there.
  std::shared_ptr<const JobSpec> spec{};
};

}  // namespace ym::sim
