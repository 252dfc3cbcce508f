// Walk forward: all forecasts go through a recorded workload in the order of time, and each thing they say is put
// beside what came afterwards.
//
// Nothing that was not yet known at a moment has a part in what is said then: a run time is known from the job's end
// on, and not before. Jobs count as though each had started when it came, since a trace has no queue of ours. Trials
// are from the very beginning on; those while little is known are for `forecast_errors` to leave out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "sim/demand/arrival_forecast.h"
#include "sim/demand/day_forecast.h"
#include "sim/demand/history.h"
#include "sim/demand/run_time_curve.h"

namespace ym::sim {

struct HourTrial {
  std::int64_t hour = 0;        // since 1970
  ArrivalsSaid said{};          // as it began
  double said_at_midnight = 0;  // as its day began
  double came = 0;
};

struct DayTrial {
  DaySaid said;                                     // as it began
  double jobs = 0, gpu_hours = 0, gpus_in_use = 0;  // came; GPU hours with all ends known
  // As known when it began: GPU hours submitted the day before, and their median over the week before.
  double gpu_hours_yesterday = 0, gpu_hours_week = 0;
};

// Times as log2 of seconds.
struct RunTimeTrial {
  std::size_t job = 0;
  std::optional<RunTimeSaid> said;  // when it came
  std::optional<double> newest_64;  // the plain guess
  double came = 0;
};

// Losses -ln(the share said of the size that came), in nats.
struct SizeTrial {
  std::size_t job = 0;
  double next_hour = 0, all_time = 0;
};

struct Trials {
  std::int64_t first_day = 0;           // since 1970
  std::vector<HourTrial> hours;         // from its beginning on, whole ones only
  std::vector<DayTrial> days;           // likewise
  std::vector<RunTimeTrial> run_times;  // of all jobs
  std::vector<SizeTrial> sizes;
};

// Precondition: jobs in the order of submission. Run times of less than a second count as one. `invalid`: no job at
// all, or one with a negative run time or number of GPUs. Takes 0.1 ms a job.
Result<Trials> walk_forward(std::span<const PastJob> jobs);

}  // namespace ym::sim
