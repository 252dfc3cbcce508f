#include "sim/demand/walk_forward.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "sim/demand/median.h"
#include "sim/demand/newest_ended.h"
#include "sim/demand/run_time_forecast.h"
#include "sim/demand/size_forecast.h"

namespace ym::sim {
namespace {

constexpr std::size_t kWeek = 7;

std::int64_t number_of(std::size_t job) { return static_cast<std::int64_t>(job); }

double gpu_hours_of(std::int64_t gpu_ms) { return static_cast<double>(gpu_ms) / static_cast<double>(kHourMs); }

class Walk {
 public:
  explicit Walk(std::vector<PastJob> jobs)
      : jobs_(std::move(jobs)), last_(jobs_.back().submit_at), arrivals_(begin()), days_(begin()), sizes_(begin()) {
    trials_.first_day = day_of(begin());
  }
  Trials run();

 private:
  Instant begin() const { return jobs_.front().submit_at; }
  void ended(std::size_t job, Instant at);
  void hour_began(Instant at);
  void day_began(Instant at);
  void submitted(std::size_t job);
  void try_run_time(std::size_t job);
  void try_size(std::size_t job);
  void count(const PastJob& job);
  std::vector<double> gpu_hours_known(Instant now) const;

  std::vector<PastJob> jobs_;
  Instant last_;
  ArrivalForecast arrivals_;
  DayForecast days_;
  SizeForecast sizes_;
  RunTimeForecast run_times_;
  NewestEnded newest_;
  std::array<double, kHoursOfDay> hours_predicted_{};
  SizeShares shares_{}, shares_ever_{};
  Trials trials_;
};

Trials Walk::run() {
  for (const HistoryEvent& event : history_of(jobs_)) {
    switch (event.what) {
      case EventKind::ended: ended(event.job, event.at); break;
      case EventKind::hour_began: hour_began(event.at); break;
      case EventKind::submitted: submitted(event.job); break;
    }
  }
  const auto in_use = days_.gpus_in_use_by_day(last_);
  for (std::size_t i = 0; i < trials_.days.size(); ++i) trials_.days[i].gpus_in_use = in_use[i];
  return std::move(trials_);
}

void Walk::ended(std::size_t job, Instant at) {
  run_times_.ended(number_of(job), at);
  days_.ended(number_of(job), at);
  newest_.ended(jobs_[job].queue, jobs_[job].gpus, log2_s(jobs_[job].run_time));
}

// Only whole hours and days are judged: the last ones may be incomplete.
void Walk::hour_began(Instant at) {
  const auto hour = hour_of(at);
  if (hour % kHoursOfDay == 0) day_began(at);
  shares_ = sizes_.next_hour(at);
  shares_ever_ = sizes_.all_time(at);
  if (hour >= hour_of(last_)) return;
  const auto place = static_cast<std::size_t>(hour % kHoursOfDay);
  trials_.hours.push_back(
      {.hour = hour, .predicted = arrivals_.next_hour(at), .predicted_at_midnight = hours_predicted_[place]});
}

void Walk::day_began(Instant at) {
  hours_predicted_ = arrivals_.next_day(at);
  if (day_of(at) >= day_of(last_)) return;
  DayTrial trial{.predicted = days_.today(at)};
  const auto known = gpu_hours_known(at);
  if (!known.empty()) trial.gpu_hours_yesterday = known.back();
  trial.gpu_hours_week = median(known);
  trials_.days.push_back(trial);
}

// GPU-hours of the jobs of each of the last seven days. Running jobs count with their use so far.
std::vector<double> Walk::gpu_hours_known(Instant now) const {
  const auto days = std::min(trials_.days.size(), kWeek);
  const auto first = begin_of_day(day_of(now) - static_cast<std::int64_t>(days));
  std::vector<std::int64_t> gpu_ms(days, 0);
  for (auto job = std::ranges::lower_bound(jobs_, first, {}, &PastJob::submit_at); job->submit_at < now; ++job) {
    const auto so_far = std::min(job->run_time, now - job->submit_at);
    gpu_ms[static_cast<std::size_t>((job->submit_at - first).ms / kDayMs)] += job->gpus * so_far.ms;
  }
  std::vector<double> known;
  for (const auto ms : gpu_ms) known.push_back(gpu_hours_of(ms));
  return known;
}

void Walk::submitted(std::size_t job) {
  try_run_time(job);
  try_size(job);
  const PastJob& it = jobs_[job];
  const Submission submission{.job = number_of(job), .at = it.submit_at, .queue = it.queue, .gpus = it.gpus};
  arrivals_.submitted(it.submit_at);
  sizes_.submitted(it.submit_at, it.gpus);
  run_times_.submitted(submission);
  run_times_.started(submission.job, it.submit_at);
  days_.submitted(submission);
  days_.started(submission.job, it.submit_at);
  count(it);
}

void Walk::try_run_time(std::size_t job) {
  const PastJob& it = jobs_[job];
  trials_.run_times.push_back({.job = job,
                               .predicted = run_times_.of_new_job(it.queue, it.gpus, it.submit_at),
                               .newest_64 = newest_.guess(it.queue, it.gpus),
                               .actual = log2_s(it.run_time)});
}

void Walk::try_size(std::size_t job) {
  const auto size = size_class(jobs_[job].gpus);
  trials_.sizes.push_back(
      {.job = job, .next_hour = -std::log(shares_[size]), .all_time = -std::log(shares_ever_[size])});
}

void Walk::count(const PastJob& job) {
  if (hour_of(job.submit_at) < hour_of(last_)) trials_.hours.back().actual += 1;
  if (day_of(job.submit_at) >= day_of(last_)) return;
  DayTrial& day = trials_.days.back();
  day.jobs += 1;
  day.gpu_hours += gpu_hours_of(job.gpus * job.run_time.ms);
}

}  // namespace

Result<Trials> walk_forward(std::span<const PastJob> jobs) {
  if (jobs.empty()) return fail(ErrorCode::invalid, "there are no jobs to forecast from");
  std::vector<PastJob> at_least_a_second(jobs.begin(), jobs.end());
  for (PastJob& job : at_least_a_second) {
    if (job.run_time < Duration{} || job.gpus < 0) {
      return fail(ErrorCode::invalid,
                  fmt::format("a job of {} has a negative run time or number of GPUs", to_rfc3339(job.submit_at)));
    }
    job.run_time = std::max(job.run_time, seconds(1));
  }
  return Walk(std::move(at_least_a_second)).run();
}

}  // namespace ym::sim
