// Walk forward: all forecasts go through a recorded workload in the order of time, and each forecast is compared with
// what happened.
//
// A forecast uses only what is known at its moment: a run time is known only from the job's end on. Jobs count as if
// each had started at its submit, because a trace does not have our queue. Trials begin with the first day;
// `forecast_errors` leaves out those with little knowledge.
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
  std::int64_t hour = 0;             // since 1970
  ArrivalsPrediction predicted{};    // at its beginning
  double predicted_at_midnight = 0;  // at the beginning of its day
  double actual = 0;
};

struct DayTrial {
  DayPrediction predicted;                          // at its beginning
  double jobs = 0, gpu_hours = 0, gpus_in_use = 0;  // actual values; GPU-hours with all ends known
  // Known at its beginning: GPU-hours submitted the day before, and their median over the week before.
  double gpu_hours_yesterday = 0, gpu_hours_week = 0;
};

// Times as log2 of seconds.
struct RunTimeTrial {
  std::size_t job = 0;
  std::optional<RunTimePrediction> predicted;  // at its submit
  std::optional<double> newest_64;             // the simple guess
  double actual = 0;
};

// Losses -ln(forecast share of the actual size), in nats.
struct SizeTrial {
  std::size_t job = 0;
  double next_hour = 0, all_time = 0;
};

struct Trials {
  std::int64_t first_day = 0;           // since 1970
  std::vector<HourTrial> hours;         // from the first day on, whole ones only
  std::vector<DayTrial> days;           // the same
  std::vector<RunTimeTrial> run_times;  // for all jobs
  std::vector<SizeTrial> sizes;
};

// Precondition: jobs are in the order of their submits. Run times below one second count as one second. Errors:
// `invalid`: there is no job, or one has a negative run time or number of GPUs. Takes 0.1 ms for each job.
Result<Trials> walk_forward(std::span<const PastJob> jobs);

}  // namespace ym::sim
