// Errors of forecasts, compared with those of simple guesses.
//
// WAPE: the sum of |forecast - actual| over the sum of actual values. 0 is perfect; a forecast of 0 gives 1. It favours
// typical values (a median) over a mean.
#pragma once

#include <cstdint>
#include <span>

#include "base/result.h"
#include "sim/demand/history.h"
#include "sim/demand/walk_forward.h"

namespace ym::sim {

struct ErrorOptions {
  std::int64_t warm_up_days = 28;  // first days, which are not judged
};

// Where actual values were, as shares of the forecasts that had a range.
struct Coverage {
  std::int64_t ranges = 0;
  double inside = 0, below = 0, above = 0;
};

// WAPE of jobs in the next hour.
struct HourErrors {
  std::int64_t hours = 0;
  double last_hour = 0, yesterday = 0;            // simple guesses
  double regression = 0, alike = 0, typical = 0;  // forecasts
  Coverage range;
};

// WAPE of jobs in each hour of a day, forecast at its beginning.
struct HoursOfDayErrors {
  double yesterday = 0, median_of_day = 0;  // simple guesses; the second is of the 24 hours before
  double predicted = 0;
};

// WAPE of a figure of the next day.
struct DayErrors {
  std::int64_t days = 0;
  double yesterday = 0, median_of_week = 0;  // simple guesses; GPU-hours as known when the day began
  double predicted = 0;
  Coverage range;
};

struct RunTimeScore {
  double within_factor_2 = 0;        // share of the jobs
  double median_abs_log2_error = 0;  // 1 means a factor of 2
};

struct RunTimeErrors {
  std::int64_t jobs = 0;
  RunTimeScore newest_64;  // simple guess
  RunTimeScore predicted;
  double within_p10_p90 = 0;
  double confident = 0;                  // share of the jobs with a confidence of at least 0.7 ...
  double confident_within_factor_2 = 0;  // ... and the share of these within a factor of 2
  double gpu_hours_within_factor_2 = 0;  // weighted by GPU-hours: long jobs, with the worst forecasts
};

// Mean loss of a job, in nats.
struct SizeErrors {
  double all_time = 0;  // simple guess
  double predicted = 0;
};

struct ForecastErrors {
  HourErrors next_hour;
  HoursOfDayErrors hours_of_day;
  DayErrors jobs, gpu_hours, gpus_in_use;
  RunTimeErrors run_times;
  SizeErrors sizes;
};

// `jobs`: the jobs of the trials. Errors: `invalid`: no whole day is left after the warm-up.
Result<ForecastErrors> forecast_errors(const Trials& trials, std::span<const PastJob> jobs,
                                       const ErrorOptions& options = {});

}  // namespace ym::sim
