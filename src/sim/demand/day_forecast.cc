#include "sim/demand/day_forecast.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "sim/demand/level.h"
#include "sim/demand/median.h"

namespace ym::sim {
namespace {

constexpr std::size_t kRatioDays = 28, kFewestRatios = 3;

double gpu_hours_of(std::int64_t gpu_ms) { return static_cast<double>(gpu_ms) / static_cast<double>(kHourMs); }
double mean_gpus_of(std::int64_t gpu_ms) { return static_cast<double>(gpu_ms) / static_cast<double>(kDayMs); }

}  // namespace

DayForecast::DayForecast(Instant since, DayOptions options)
    : options_(options),
      first_day_(day_of(since)),
      used_until_(begin_of_day(first_day_)),
      days_(1),
      predictions_{DayPrediction{.day = first_day_}} {}

void DayForecast::submitted(const Submission& submission) {
  advance(submission.at);
  days_.back().jobs += 1;
  auto& by_day = jobs_by_queue_[submission.queue];
  by_day.resize(days_.size(), 0.0);
  by_day.back() += 1;
  open_.insert_or_assign(submission.job, Open{.day = day(), .gpus = submission.gpus});
}

void DayForecast::started(std::int64_t job, Instant at) {
  advance(at);
  use_until(at);
  const auto open = open_.find(job);
  if (open == open_.end() || open->second.started) return;
  open->second.started = used_until_;
  gpus_ += open->second.gpus;
}

// An end at midnight belongs to the day before: at the beginning of the next day its GPUs are free.
void DayForecast::ended(std::int64_t job, Instant at) {
  advance({at.ms - 1});
  use_until(at);
  const auto found = open_.find(job);
  if (found == open_.end()) return;
  const Open open = found->second;
  open_.erase(found);
  if (!open.started) return;
  gpus_ -= open.gpus;
  days_[static_cast<std::size_t>(open.day - first_day_)].ended_gpu_ms += open.gpus * (used_until_ - *open.started).ms;
}

DayPrediction DayForecast::today(Instant now) {
  advance(now);
  return predictions_.back();
}

DayPrediction DayForecast::next_day(Instant now) {
  advance(now);
  use_until(now);
  return used_until_ == begin_of_day(day()) ? predictions_.back() : predict(day() + 1);
}

std::vector<double> DayForecast::gpus_in_use_by_day(Instant now) {
  advance(now);
  std::vector<double> means;
  for (std::size_t i = 0; i + 1 < days_.size(); ++i) means.push_back(mean_gpus_of(days_[i].used_gpu_ms));
  return means;
}

void DayForecast::advance(Instant now) {
  while (begin_of_day(day() + 1) <= now) close_day();
}

void DayForecast::use_until(Instant at) {
  if (at <= used_until_) return;
  days_.back().used_gpu_ms += gpus_ * (at - used_until_).ms;
  used_until_ = at;
}

void DayForecast::close_day() {
  use_until(begin_of_day(day() + 1));
  days_.push_back({.gpus_at_beginning = gpus_});
  predictions_.push_back(predict(day()));
}

// The demand of past days becomes known only as their jobs end, so it is computed each time.
DayForecast::Known DayForecast::known() const {
  std::vector<std::int64_t> gpu_ms;
  for (const Day& day : days_) gpu_ms.push_back(day.ended_gpu_ms);
  for (const auto& [job, open] : open_) {
    if (!open.started) continue;
    const auto so_far = open.gpus * (used_until_ - *open.started).ms;
    gpu_ms[static_cast<std::size_t>(open.day - first_day_)] += options_.running_counts * so_far;
  }
  Known known;
  for (std::size_t i = 0; i + 1 < days_.size(); ++i) {
    known.jobs.push_back(static_cast<double>(days_[i].jobs));
    known.gpu_hours.push_back(gpu_hours_of(gpu_ms[i]));
    known.gpus_in_use.push_back(mean_gpus_of(days_[i].used_gpu_ms));
  }
  return known;
}

DayPrediction DayForecast::predict(std::int64_t of_day) const {
  const Known days = known();
  const DaySeries gpu_hours{.values = days.gpu_hours, .first_day = first_day_, .step = options_.gpu_hours_step};
  return {.day = of_day,
          .jobs = figure(jobs(days, of_day), days.jobs, &DayPrediction::jobs),
          .gpu_hours = figure(next_of_days(gpu_hours, of_day), days.gpu_hours, &DayPrediction::gpu_hours),
          .gpus_in_use = figure(gpus_in_use(days, of_day), days.gpus_in_use, &DayPrediction::gpus_in_use)};
}

// The series of all jobs follows a common rise and fall sooner. In the sum of the queues' series, one unusual queue
// disturbs the others less.
double DayForecast::jobs(const Known& known, std::int64_t of_day) const {
  const auto next = [&](std::span<const double> values) {
    return next_of_days({.values = values, .first_day = first_day_, .step = options_.jobs_step}, of_day);
  };
  double of_queues = 0;
  for (const auto& [queue, by_day] : jobs_by_queue_) {
    std::vector<double> values = by_day;
    values.resize(known.jobs.size(), 0.0);
    of_queues += next(values);
  }
  return std::sqrt((1 + next(known.jobs)) * (1 + of_queues)) - 1;
}

double DayForecast::gpus_in_use(const Known& known, std::int64_t of_day) const {
  std::vector<double> ratios;
  const auto count = known.gpus_in_use.size();
  for (auto i = count - std::min(count, kRatioDays); i < count; ++i) {
    const bool same_kind = is_weekend(first_day_ + static_cast<std::int64_t>(i)) == is_weekend(of_day);
    const auto at_beginning = static_cast<double>(days_[i].gpus_at_beginning);
    if (same_kind && at_beginning > 0) ratios.push_back(known.gpus_in_use[i] / at_beginning);
  }
  return static_cast<double>(gpus_) * (ratios.size() >= kFewestRatios ? median(std::move(ratios)) : 1);
}

DayFigure DayForecast::figure(double typical, const std::vector<double>& actual,
                              DayFigure DayPrediction::* which) const {
  ErrorBand band(options_.errors_kept);
  for (auto i = static_cast<std::size_t>(options_.settle_days); i < actual.size(); ++i) {
    band.add((predictions_[i].*which).typical, actual[i]);
  }
  return {typical, band.around(typical)};
}

DayForecast days_after(std::span<const PastJob> jobs) {
  DayForecast days(jobs.front().submit_at);
  for (const HistoryEvent& event : history_of(jobs)) {
    const auto number = static_cast<std::int64_t>(event.job);
    if (event.what == EventKind::ended) days.ended(number, event.at);
    if (event.what != EventKind::submitted) continue;
    const PastJob& job = jobs[event.job];
    days.submitted({.job = number, .at = event.at, .queue = job.queue, .gpus = job.gpus});
    days.started(number, event.at);
  }
  return days;
}

}  // namespace ym::sim
