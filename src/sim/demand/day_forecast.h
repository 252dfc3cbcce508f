// DayForecast: forecasts at the beginning of a day its jobs, the GPU-hours that they need, and the GPUs in use.
//
// Jobs: the geometric mean of the forecast from the series of all jobs (see level.h) and of the sum of the queues'
// forecasts. GPU-hours submitted: the same kind of series; a running job counts as three times its use so far, a
// waiting job as nothing. GPUs in use, as the day's mean: those at its beginning, times the median ratio of mean to
// beginning on days of the same kind (weekday, weekend) in the last four weeks.
//
// Intervals cover about 80 %, from the known errors of the last 28 days. Those of jobs and of GPU-hours are wide: a
// factor of about three in both directions on the Philly trace. No better forecast is known; it is not a defect.
//
// Feed it in the order of time. At the same instant, feed ends before starts and submits. A late event counts at the
// latest moment that is known. It can be asked at any time and uses only what came before that. Time and memory grow
// with the number of days, by a few kB for each. Threads: one.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/time.h"
#include "sim/demand/calendar.h"
#include "sim/demand/error_band.h"
#include "sim/demand/history.h"
#include "sim/demand/submission.h"

namespace ym::sim {

struct DayOptions {
  double jobs_step = 0.3, gpu_hours_step = 0.2;
  std::int64_t running_counts = 3;  // factor for the use so far
  std::int64_t settle_days = 21;    // errors of the first days do not count
  std::size_t errors_kept = 28;
};

struct DayFigure {
  double typical = 0;
  std::optional<Range> range;  // nothing until the errors of ten days are known
  bool operator==(const DayFigure&) const = default;
};

struct DayPrediction {
  std::int64_t day = 0;     // since 1970
  DayFigure jobs{};         // submitted on it
  DayFigure gpu_hours{};    // of those jobs, until they end
  DayFigure gpus_in_use{};  // mean over the day, of running jobs
  bool operator==(const DayPrediction&) const = default;
};

class DayForecast {
 public:
  // `since`: nothing is missing from the beginning of this day on.
  explicit DayForecast(Instant since, DayOptions options = {});

  void submitted(const Submission& submission);
  // A second start of the same job is ignored.
  void started(std::int64_t job, Instant at);
  void ended(std::int64_t job, Instant at);

  // For the day of `now`, as forecast at its beginning.
  DayPrediction today(Instant now);
  // For the first day that does not begin before `now`. Jobs of today do not count yet. The GPUs in use are those of
  // `now`. At the beginning of a day this is the same as `today`.
  DayPrediction next_day(Instant now);
  // Mean GPUs in use for each day that is over, from the first one on.
  std::vector<double> gpus_in_use_by_day(Instant now);

 private:
  struct Open {
    std::int64_t day = 0, gpus = 0;  // of its submit
    std::optional<Instant> started{};
  };
  struct Day {
    std::int64_t jobs = 0;
    std::int64_t ended_gpu_ms = 0;  // of jobs that were submitted on it and have ended
    std::int64_t used_gpu_ms = 0;   // on this day
    std::int64_t gpus_at_beginning = 0;
  };
  std::int64_t day() const { return first_day_ + static_cast<std::int64_t>(days_.size()) - 1; }
  // The values of the days that are over, as far as they are known.
  struct Known {
    std::vector<double> jobs, gpu_hours, gpus_in_use;
  };
  // Closes the days that are over at `now`.
  void advance(Instant now);
  void use_until(Instant at);
  void close_day();
  Known known() const;
  DayPrediction predict(std::int64_t of_day) const;
  double jobs(const Known& known, std::int64_t of_day) const;
  double gpus_in_use(const Known& known, std::int64_t of_day) const;
  DayFigure figure(double typical, const std::vector<double>& actual, DayFigure DayPrediction::* which) const;

  DayOptions options_;
  std::int64_t first_day_, gpus_ = 0;  // gpus_ is the number in use now
  Instant used_until_;
  std::vector<Day> days_;                                     // the last one is not over yet
  std::map<std::string, std::vector<double>> jobs_by_queue_;  // by day, up to the queue's last day with a job
  std::unordered_map<std::int64_t, Open> open_;
  std::vector<DayPrediction> predictions_;  // for each day, at its beginning
};

// Fed with a whole history. The jobs' numbers are their indices. Preconditions: there is a job; jobs are in the order
// of their submits.
DayForecast days_after(std::span<const PastJob> jobs);

}  // namespace ym::sim
