// DayForecast: the jobs of a day, the GPU hours that they ask for, and the GPUs in use, said at its beginning.
//
// Jobs: the geometric mean of what the series of all jobs says (see level.h) and of the sum of what the queues' do. GPU
// hours submitted: the same kind of series; a job that runs counts as three times what it has used so far, one that
// waits as nothing yet. GPUs in use, as a mean of the day: those at its beginning, times the median of how days of the
// last four weeks and the same kind (weekday, weekend) compared to theirs.
//
// Intervals hold about 80 %, from the errors of the last 28 days as far as they are known. Those of jobs and of GPU
// hours are wide, a factor of about three either way on the Philly trace; that is what can be known, not a defect.
//
// Feed it in the order of time, ends of an instant before what starts and comes then; what comes late counts as of the
// latest moment heard of. It can be asked at any time and knows only what came before. Time and memory grow with the
// days, a few kB each. Threads: one.
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
  std::int64_t running_counts = 3;  // times what it has used so far
  std::int64_t settle_days = 21;    // errors of the first ones say nothing about later ones
  std::size_t errors_kept = 28;
};

struct DayFigure {
  double typical = 0;
  std::optional<Range> range;  // nothing until ten days' errors are known
  bool operator==(const DayFigure&) const = default;
};

struct DaySaid {
  std::int64_t day = 0;     // since 1970
  DayFigure jobs{};         // submitted on it
  DayFigure gpu_hours{};    // of those, until they end
  DayFigure gpus_in_use{};  // the mean over the day; of jobs that run
  bool operator==(const DaySaid&) const = default;
};

class DayForecast {
 public:
  // `since`: from the beginning of its day on nothing is missed.
  explicit DayForecast(Instant since, DayOptions options = {});

  void submitted(const Submission& submission);
  // A second start of the same job counts for nothing.
  void started(std::int64_t job, Instant at);
  void ended(std::int64_t job, Instant at);

  // Of the day that `now` is in, as it was said at its beginning.
  DaySaid today(Instant now);
  // Of the first day that begins no earlier than `now`: what came today does not yet count, except for the GPUs in use,
  // those of now. At the beginning of a day this is `today`.
  DaySaid next_day(Instant now);
  // Mean GPUs in use of each day that is over, from the first one on.
  std::vector<double> gpus_in_use_by_day(Instant now);

 private:
  struct Open {
    std::int64_t day = 0, gpus = 0;  // of its submission
    std::optional<Instant> started{};
  };
  struct Day {
    std::int64_t jobs = 0;
    std::int64_t ended_gpu_ms = 0;  // of jobs submitted on it that ended
    std::int64_t used_gpu_ms = 0;   // on it
    std::int64_t gpus_at_beginning = 0;
  };
  std::int64_t day() const { return first_day_ + static_cast<std::int64_t>(days_.size()) - 1; }
  // Of the days that are over, as far as it is known.
  struct Known {
    std::vector<double> jobs, gpu_hours, gpus_in_use;
  };
  // Closes the days that are over at `now`.
  void advance(Instant now);
  void use_until(Instant at);
  void close_day();
  Known known() const;
  DaySaid say(std::int64_t of_day) const;
  double jobs(const Known& known, std::int64_t of_day) const;
  double gpus_in_use(const Known& known, std::int64_t of_day) const;
  DayFigure figure(double typical, const std::vector<double>& came, DayFigure DaySaid::* which) const;

  DayOptions options_;
  std::int64_t first_day_, gpus_ = 0;  // the latter in use now
  Instant used_until_;
  std::vector<Day> days_;                                     // the last one is not yet over
  std::map<std::string, std::vector<double>> jobs_by_queue_;  // by day, up to the last on which it had one
  std::unordered_map<std::int64_t, Open> open_;
  std::vector<DaySaid> said_;  // of each day, at its beginning
};

// Told of all of a history, whose jobs count by their places. Preconditions: there is a job; in the order of
// submission.
DayForecast days_after(std::span<const PastJob> jobs);

}  // namespace ym::sim
