#include "sim/demand/forecast_errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "sim/demand/calendar.h"
#include "sim/demand/error_band.h"
#include "sim/demand/median.h"
#include "sim/demand/run_time_forecast.h"

namespace ym::sim {
namespace {

constexpr std::size_t kHours = kHoursOfDay, kWeek = 7;
constexpr double kTiny = 1e-9;
constexpr double kConfident = 0.7;
constexpr double kNothingKnownLog2S = 10;  // about a quarter of an hour

struct Wape {
  double off = 0, sum = 0;
  void add(double predicted, double actual) { off += std::abs(predicted - actual), sum += actual; }
  double value() const { return sum > 0 ? off / sum : 0; }
};

class Ranges {
 public:
  void add(const std::optional<Range>& range, double actual) {
    if (!range) return;
    count_ += 1;
    below_ += actual < range->low - kTiny ? 1 : 0;
    above_ += actual > range->high + kTiny ? 1 : 0;
  }
  Coverage coverage() const {
    if (count_ == 0) return {};
    const auto n = static_cast<double>(count_);
    return {.ranges = count_, .inside = 1 - (below_ + above_) / n, .below = below_ / n, .above = above_ / n};
  }

 private:
  std::int64_t count_ = 0;
  double below_ = 0, above_ = 0;
};

class RunTimeHits {
 public:
  void add(double predicted, double actual) { errors_.push_back(std::abs(predicted - actual)); }
  static bool hit(double predicted, double actual) { return std::abs(predicted - actual) <= 1 + kTiny; }
  RunTimeScore score() const {
    const auto hits = std::ranges::count_if(errors_, [](double error) { return error <= 1 + kTiny; });
    if (errors_.empty()) return {};
    return {static_cast<double>(hits) / static_cast<double>(errors_.size()), median(errors_)};
  }

 private:
  std::vector<double> errors_;
};

HourErrors next_hour(const Trials& trials, std::size_t from) {
  Wape last, yesterday, regression, alike, typical;
  Ranges ranges;
  for (std::size_t i = from; i < trials.hours.size(); ++i) {
    const HourTrial& trial = trials.hours[i];
    last.add(i >= 1 ? trials.hours[i - 1].actual : 0, trial.actual);
    yesterday.add(i >= kHours ? trials.hours[i - kHours].actual : 0, trial.actual);
    regression.add(trial.predicted.regression, trial.actual);
    alike.add(trial.predicted.alike.value_or(0), trial.actual);
    typical.add(trial.predicted.typical, trial.actual);
    ranges.add(trial.predicted.range, trial.actual);
  }
  return {.hours = static_cast<std::int64_t>(trials.hours.size() - from),
          .last_hour = last.value(),
          .yesterday = yesterday.value(),
          .regression = regression.value(),
          .alike = alike.value(),
          .typical = typical.value(),
          .range = ranges.coverage()};
}

// For the day before the one with the hour of this index.
double median_of_day_before(const Trials& trials, std::size_t hour) {
  const std::size_t midnight = hour / kHours * kHours;
  std::vector<double> actual;
  for (std::size_t i = midnight - std::min(midnight, kHours); i < midnight; ++i)
    actual.push_back(trials.hours[i].actual);
  return median(std::move(actual));
}

HoursOfDayErrors hours_of_day(const Trials& trials, std::size_t from) {
  Wape yesterday, median_of_day, predicted;
  for (std::size_t i = from; i < trials.days.size() * kHours; ++i) {
    const HourTrial& trial = trials.hours[i];
    yesterday.add(i >= kHours ? trials.hours[i - kHours].actual : 0, trial.actual);
    median_of_day.add(median_of_day_before(trials, i), trial.actual);
    predicted.add(trial.predicted_at_midnight, trial.actual);
  }
  return {yesterday.value(), median_of_day.value(), predicted.value()};
}

// `yesterday`, `week`: the simple guesses for the day with this index.
template <class Yesterday, class Week>
DayErrors days(const Trials& trials, std::size_t from, DayFigure DayPrediction::* figure, double DayTrial::* actual,
               const Yesterday& yesterday, const Week& week) {
  Wape as_yesterday, as_week, predicted;
  Ranges ranges;
  for (std::size_t i = from; i < trials.days.size(); ++i) {
    const DayTrial& trial = trials.days[i];
    as_yesterday.add(yesterday(i), trial.*actual);
    as_week.add(week(i), trial.*actual);
    predicted.add((trial.predicted.*figure).typical, trial.*actual);
    ranges.add((trial.predicted.*figure).range, trial.*actual);
  }
  return {.days = static_cast<std::int64_t>(trials.days.size() - from),
          .yesterday = as_yesterday.value(),
          .median_of_week = as_week.value(),
          .predicted = predicted.value(),
          .range = ranges.coverage()};
}

DayErrors days_known(const Trials& trials, std::size_t from, DayFigure DayPrediction::* figure,
                     double DayTrial::* actual) {
  const auto yesterday = [&](std::size_t i) { return i >= 1 ? trials.days[i - 1].*actual : 0; };
  const auto week = [&](std::size_t i) {
    std::vector<double> values;
    for (std::size_t k = i - std::min(i, kWeek); k < i; ++k) values.push_back(trials.days[k].*actual);
    return median(std::move(values));
  };
  return days(trials, from, figure, actual, yesterday, week);
}

DayErrors days_of_gpu_hours(const Trials& trials, std::size_t from) {
  const auto yesterday = [&](std::size_t i) { return trials.days[i].gpu_hours_yesterday; };
  const auto week = [&](std::size_t i) { return trials.days[i].gpu_hours_week; };
  return days(trials, from, &DayPrediction::gpu_hours, &DayTrial::gpu_hours, yesterday, week);
}

double share(double part, double whole) { return whole > 0 ? part / whole : 0; }

RunTimeErrors run_times(const Trials& trials, std::span<const PastJob> jobs, std::int64_t first_day) {
  RunTimeHits newest, predicted;
  double count = 0, inside = 0, confident = 0, confident_hits = 0, gpu_hours = 0, gpu_hours_hit = 0;
  for (const RunTimeTrial& trial : trials.run_times) {
    if (day_of(jobs[trial.job].submit_at) < first_day) continue;
    const RunTimePrediction it = trial.predicted.value_or(RunTimePrediction{.log2_s = kNothingKnownLog2S});
    const double hit = RunTimeHits::hit(it.log2_s, trial.actual) ? 1 : 0;
    const double weight = static_cast<double>(jobs[trial.job].gpus) * std::exp2(trial.actual);
    newest.add(trial.newest_64.value_or(kNothingKnownLog2S), trial.actual);
    predicted.add(it.log2_s, trial.actual);
    count += 1;
    inside += trial.actual >= it.p10 - kTiny && trial.actual <= it.p90 + kTiny ? 1 : 0;
    confident += it.confidence >= kConfident ? 1 : 0;
    confident_hits += it.confidence >= kConfident ? hit : 0;
    gpu_hours += weight;
    gpu_hours_hit += weight * hit;
  }
  return {.jobs = static_cast<std::int64_t>(count),
          .newest_64 = newest.score(),
          .predicted = predicted.score(),
          .within_p10_p90 = share(inside, count),
          .confident = share(confident, count),
          .confident_within_factor_2 = share(confident_hits, confident),
          .gpu_hours_within_factor_2 = share(gpu_hours_hit, gpu_hours)};
}

SizeErrors sizes(const Trials& trials, std::span<const PastJob> jobs, std::int64_t first_day) {
  double count = 0, next_hour = 0, all_time = 0;
  for (const SizeTrial& trial : trials.sizes) {
    if (day_of(jobs[trial.job].submit_at) < first_day) continue;
    count += 1;
    next_hour += trial.next_hour;
    all_time += trial.all_time;
  }
  return {.all_time = share(all_time, count), .predicted = share(next_hour, count)};
}

}  // namespace

Result<ForecastErrors> forecast_errors(const Trials& trials, std::span<const PastJob> jobs,
                                       const ErrorOptions& options) {
  const auto whole = static_cast<std::int64_t>(trials.days.size());
  if (options.warm_up_days < 0 || options.warm_up_days >= whole) {
    return fail(ErrorCode::invalid,
                fmt::format("none of {} whole days is left after {} days of warm-up", whole, options.warm_up_days));
  }
  const auto day = static_cast<std::size_t>(options.warm_up_days), hour = day * kHours;
  const auto first_day = trials.first_day + options.warm_up_days;
  return ForecastErrors{.next_hour = next_hour(trials, hour),
                        .hours_of_day = hours_of_day(trials, hour),
                        .jobs = days_known(trials, day, &DayPrediction::jobs, &DayTrial::jobs),
                        .gpu_hours = days_of_gpu_hours(trials, day),
                        .gpus_in_use = days_known(trials, day, &DayPrediction::gpus_in_use, &DayTrial::gpus_in_use),
                        .run_times = run_times(trials, jobs, first_day),
                        .sizes = sizes(trials, jobs, first_day)};
}

}  // namespace ym::sim
