// A simulation: the jobs of a workload, submitted to a site at their times, until all have ended.
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
  // `begin` is set to the first submission. A queue `default` without quota is added where its queues have none, for
  // jobs of users and projects that have no default queue.
  SiteOptions site;
  JobRules jobs;
  std::optional<Instant> until{};  // nothing is submitted or waited for after it
  // When nothing has begun or ended for so long after the last submission, nobody will.
  Duration patience = hours(24 * 7);
  // It is foreseen when a job that waits will start, once in so much time at most; 0: never. Each costs as a forecast
  // in a server does.
  Duration forecasts_every{};
};

// A job that nothing in the simulation lets begin, and was told so when it was submitted.
struct NeverRuns {
  std::int64_t line = 0;  // of the trace
  std::string id;         // in the trace; may be empty
  std::string why;
};

struct SimulationEnd {
  Instant begin, end;  // the first submission, and when the last job ended (or it was given up)
  std::int64_t submitted = 0;
  std::int64_t refused = 0;
  std::string first_refusal;       // why, and of which line
  std::int64_t passed_over = 0;    // rows of the trace that are no jobs
  TraceRemarks remarks;            // of the trace: which rows, and what else there is to say
  std::int64_t moved_queue = 0;    // jobs whose queue there was none of: they went where those go that name none
  std::int64_t never_started = 0;  // wait still, because nothing lets them begin
  std::int64_t can_never_run = 0;  // of the submitted ones: there is no way
  std::vector<NeverRuns> never;    // of these the first, few enough to be read
  std::int64_t unfinished = 0;     // have begun, and are not over by `until`
  std::int64_t used_gpu_ms = 0;
  std::int64_t gpu_milli = 0;    // of all nodes; slices are what they count as
  std::int64_t cost_micros = 0;  // of all attempts until the end, of jobs that are not over too
  // Of nodes of which others were in use; and wherever, while jobs waited that can run.
  std::int64_t scattered_gpu_ms = 0, idle_while_waiting_gpu_ms = 0;
  std::int64_t cycles = 0;
  std::int64_t events = 0;
  Timeline timeline;  // as Recorder has it
  std::vector<StartForecast> forecasts;
};

struct SimulationProgress {
  Instant now;
  std::int64_t submitted = 0, ended = 0, live = 0;
  bool at_end = false;  // of the trace
  double share = 0;     // of it that was submitted
};

// Errors: those of the workload and of Site::open. `on_end` is told each job that has ended, in the order in which they
// do; `on_progress` now and then.
Result<SimulationEnd> simulate(Workload& workload, SimulationOptions options,
                               std::function<void(const JobRecord&)> on_end,
                               std::function<void(const SimulationProgress&)> on_progress = {});

}  // namespace ym::sim
