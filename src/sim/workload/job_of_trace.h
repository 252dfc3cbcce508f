// Makes a job to submit from a recorded one.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "base/result.h"
#include "model/job_spec.h"
#include "sim/workload/trace_job.h"

namespace ym::sim {

// Properties of jobs that a trace does not have.
struct JobRules {
  std::int64_t gpus_per_node = 8;       // gangs use nodes with this many GPUs
  std::set<std::string> queues;         // existing queues; jobs of other queues name none
  Duration grace = seconds(30);         // of each job
  std::optional<Duration> checkpoints;  // interval of saves; each job also saves while it stops; nothing: no saves
  Duration start_time{};                // of each attempt, before it continues its work
  bool preemptible = true;
};

// A job that was recorded with its spec keeps it, with a simulated program. Else, if the trace has no number of nodes,
// the job gets the fewest that are enough. If a gang cannot be divided evenly, each node has as many GPUs as the
// largest part. Errors: `invalid`, names the line: the job asks for more than a job can have.
Result<JobSpec> job_of_trace(const TraceJob& job, const JobRules& rules);

}  // namespace ym::sim
