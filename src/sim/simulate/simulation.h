// A simulation: submits the jobs of a workload to a site at their times, and runs until all have ended.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/simulate/job_record.h"
#include "sim/simulate/start_forecasts.h"
#include "sim/simulate/timeline.h"
#include "sim/site/site.h"
#include "sim/workload/job_of_trace.h"
#include "sim/workload/workload.h"

namespace ym::sim {

struct SimulationOptions {
  // `begin` is set to the first submit. If there are queues but no queue `default`, one without quota is added, for
  // jobs of users and projects that have no default queue.
  SiteOptions site;
  JobRules jobs;
  std::optional<Instant> until{};  // end of submits and of the simulation
  // If no job starts or ends for this time after the last submit, no further job will.
  Duration idle_timeout = hours(24 * 7);
  // Shortest interval between forecasts of the start of a waiting job; 0: no forecasts. A forecast costs as much as in
  // a server.
  Duration forecasts_every{};
};

// A job that can never start in the simulation. The server reported that at its submit.
struct NeverRuns {
  std::int64_t line = 0;  // of the trace
  std::string id;         // in the trace; may be empty
  std::string why;
};

struct SimulationEnd {
  Instant begin, end;  // first submit, and end of the last job (or of the simulation)
  std::int64_t submitted = 0;
  std::int64_t refused = 0;
  std::string first_refusal;       // the reason, with its line
  std::int64_t passed_over = 0;    // rows of the trace that are not jobs
  TraceRemarks remarks;            // about the trace: rows that are not jobs, and columns
  std::int64_t moved_queue = 0;    // jobs with an unknown queue: they went to the default queue
  std::int64_t never_started = 0;  // still waiting at the end
  std::int64_t can_never_run = 0;  // part of the submitted jobs
  std::vector<NeverRuns> never;    // the first of these
  std::int64_t unfinished = 0;     // started, but not over by `until`
  std::int64_t used_gpu_ms = 0;
  std::int64_t gpu_milli = 0;    // of all nodes; slices count as their part of a GPU
  std::int64_t cost_micros = 0;  // of all attempts until the end, also of jobs that are not over
  // On nodes that were partly in use; and on all nodes while jobs waited that can run.
  std::int64_t scattered_gpu_ms = 0, idle_while_waiting_gpu_ms = 0;
  std::int64_t cycles = 0;
  std::int64_t events = 0;
  Timeline timeline;  // see Recorder
  std::vector<StartForecast> forecasts;
};

struct SimulationProgress {
  Instant now;
  std::int64_t submitted = 0, ended = 0, live = 0;
  bool at_end = false;  // of the trace
  double share = 0;     // part of it that was submitted
};

// Errors: those of the workload and of Site::open. `on_end` is called for each job when it has ended, in that order.
// `on_progress` is called now and then.
Result<SimulationEnd> simulate(Workload& workload, SimulationOptions options,
                               std::function<void(const JobRecord&)> on_end,
                               std::function<void(const SimulationProgress&)> on_progress = {});

}  // namespace ym::sim
