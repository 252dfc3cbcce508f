// From a recorded job to one that is submitted.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "base/result.h"
#include "model/job_spec.h"
#include "sim/workload/trace_job.h"

namespace ym::sim {

// What a trace does not say of its jobs.
struct JobRules {
  std::int64_t gpus_per_node = 8;       // a gang is made of nodes that have so many
  std::set<std::string> queues;         // there are; jobs of others name none
  Duration grace = seconds(30);         // when they are asked to stop
  std::optional<Duration> checkpoints;  // each saves its work so often, and while it stops; nothing: never
  Duration start_time{};                // that each attempt takes before it goes on
  bool preemptible = true;
};

// Of a job that was recorded as it was submitted, that, with a simulated program. Else as few nodes as will do where
// the trace does not say how many; of a gang that cannot be parted evenly each node has as many GPUs as the largest
// part. Errors: `invalid`, names the line, if it asks for something that no job can.
Result<JobSpec> job_of_trace(const TraceJob& job, const JobRules& rules);

}  // namespace ym::sim
