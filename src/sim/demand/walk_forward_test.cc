#include "sim/demand/walk_forward.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/random.h"
#include "sim/demand/calendar.h"
#include "sim/demand/forecast_errors.h"

namespace ym::sim {
namespace {

constexpr Instant kMonday{978'307'200'000};  // 2001-01-01
constexpr std::int64_t kDays = 40;

Duration log_uniform(Random& random, double least_log2_s, double most_log2_s) {
  const double share = static_cast<double>(random.below(1000)) / 1000;
  return seconds(static_cast<std::int64_t>(std::exp2(least_log2_s + share * (most_log2_s - least_log2_s))));
}

// More jobs by day. Each queue has run times of its own, and now and then one of a day or more.
std::vector<PastJob> made_up(std::uint64_t seed, std::int64_t days = kDays) {
  Random random(seed);
  std::vector<PastJob> jobs;
  for (std::int64_t hour = 0; hour < days * kHoursOfDay; ++hour) {
    const auto count = random.below(hour % kHoursOfDay >= 8 ? 5 : 2);
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto queue = random.below(3);
      const auto typical = 6 + 3 * static_cast<double>(queue);
      jobs.push_back({kMonday + hours(hour) + seconds(static_cast<std::int64_t>(random.below(3600))),
                      random.below(20) == 0 ? log_uniform(random, 16, 19) : log_uniform(random, typical, typical + 1),
                      std::int64_t{1} << random.below(4), std::string(1, static_cast<char>('a' + queue))});
    }
  }
  std::ranges::sort(jobs, {},
                    [](const PastJob& job) { return std::tuple(job.submit_at, job.run_time, job.gpus, job.queue); });
  return jobs;
}

Trials walked(const std::vector<PastJob>& jobs) {
  auto trials = walk_forward(jobs);
  EXPECT_TRUE(trials);
  return std::move(*trials);
}

// Changes everything that becomes known after `moment`: later ends are later still, later jobs are others and more.
std::vector<PastJob> with_another_future(std::vector<PastJob> jobs, Instant moment) {
  std::vector<PastJob> changed;
  for (PastJob job : jobs) {
    const bool known = job.submit_at < moment && job.submit_at + job.run_time <= moment;
    if (!known) job.run_time = Duration{3 * job.run_time.ms} + hours(50);
    changed.push_back(job);
    if (job.submit_at < moment) continue;
    changed.back().gpus = 64;
    changed.back().queue = "new";
    changed.push_back(changed.back());
  }
  return changed;
}

TEST(WalkForward, NothingLaterThanTheMomentAskedAboutChangesAForecast) {
  const auto jobs = made_up(1);
  const auto moment = kMonday + hours(30 * 24);
  const Trials one = walked(jobs), other = walked(with_another_future(jobs, moment));
  for (std::size_t i = 0; i <= 30 * 24; ++i) {
    EXPECT_EQ(one.hours[i].predicted, other.hours[i].predicted) << i;
    EXPECT_EQ(one.hours[i].predicted_at_midnight, other.hours[i].predicted_at_midnight) << i;
  }
  for (std::size_t i = 0; i <= 30; ++i) {
    EXPECT_EQ(one.days[i].predicted, other.days[i].predicted) << i;
    EXPECT_EQ(one.days[i].gpu_hours_yesterday, other.days[i].gpu_hours_yesterday) << i;
  }
  for (std::size_t i = 0; jobs[i].submit_at < moment; ++i) {
    EXPECT_EQ(one.run_times[i].predicted, other.run_times[i].predicted) << i;
    EXPECT_EQ(one.run_times[i].newest_64, other.run_times[i].newest_64) << i;
    EXPECT_EQ(one.sizes[i].next_hour, other.sizes[i].next_hour) << i;
  }
}

TEST(WalkForward, AnotherFutureIsNoticedOnceItIsKnown) {
  const auto jobs = made_up(1);
  const Trials one = walked(jobs), other = walked(with_another_future(jobs, kMonday + hours(30 * 24)));
  EXPECT_NE(one.hours[31 * 24].predicted, other.hours[31 * 24].predicted);
  EXPECT_NE(one.days[32].predicted, other.days[32].predicted);
}

TEST(WalkForward, SaysTheSameEachTime) {
  const auto jobs = made_up(2);
  const Trials one = walked(jobs), other = walked(jobs);
  for (std::size_t i = 0; i < jobs.size(); ++i) EXPECT_EQ(one.run_times[i].predicted, other.run_times[i].predicted);
  for (std::size_t i = 0; i < one.days.size(); ++i) EXPECT_EQ(one.days[i].predicted, other.days[i].predicted);
}

TEST(History, KnowsOfEndsBeforeAnHourBeginsAndOfSubmissionsAfter) {
  const std::vector<PastJob> jobs{{kMonday + minutes(30), minutes(30), 1, "a"}, {kMonday + hours(1), hours(9), 1, "a"}};
  std::vector<std::pair<EventKind, Instant>> events;
  for (const HistoryEvent& event : history_of(jobs)) events.emplace_back(event.what, event.at);
  const std::vector<std::pair<EventKind, Instant>> expected{{EventKind::hour_began, kMonday},
                                                            {EventKind::submitted, kMonday + minutes(30)},
                                                            {EventKind::ended, kMonday + hours(1)},
                                                            {EventKind::hour_began, kMonday + hours(1)},
                                                            {EventKind::submitted, kMonday + hours(1)}};
  EXPECT_EQ(events, expected);
}

TEST(WalkForward, CountsWhatCame) {
  const auto jobs = made_up(3, 10);
  const Trials trials = walked(jobs);
  EXPECT_EQ(trials.first_day, day_of(kMonday));
  EXPECT_EQ(trials.days.size(), 9) << "the last one is not whole";
  EXPECT_EQ(trials.hours.back().hour, hour_of(jobs.back().submit_at) - 1) << "nor is the last hour";
  for (const DayTrial& trial : trials.days) {
    double count = 0, gpu_hours = 0, of_hours = 0;
    for (const PastJob& job : jobs) {
      if (day_of(job.submit_at) != trial.predicted.day) continue;
      count += 1, gpu_hours += static_cast<double>(job.gpus * job.run_time.ms) / kHourMs;
    }
    for (const HourTrial& hour : trials.hours)
      of_hours += hour.hour / kHoursOfDay == trial.predicted.day ? hour.actual : 0;
    EXPECT_EQ(trial.jobs, count);
    EXPECT_EQ(of_hours, count);
    EXPECT_NEAR(trial.gpu_hours, gpu_hours, 1e-6);
  }
}

TEST(WalkForward, GpusInUseAreThoseOfAllJobsThatRun) {
  const Trials trials = walked({{kMonday + hours(6), hours(36), 4, "a"}, {kMonday + hours(80), hours(1), 1, "a"}});
  ASSERT_EQ(trials.days.size(), 3);
  EXPECT_DOUBLE_EQ(trials.days[0].gpus_in_use, 4 * 18 / 24.0);
  EXPECT_DOUBLE_EQ(trials.days[1].gpus_in_use, 4 * 18 / 24.0);
  EXPECT_DOUBLE_EQ(trials.days[2].gpus_in_use, 0);
  EXPECT_DOUBLE_EQ(trials.days[1].gpu_hours_yesterday, 4 * 18) << "as known then";
  EXPECT_DOUBLE_EQ(trials.days[0].gpu_hours, 4 * 36) << "as it became known";
}

TEST(WalkForward, RefusesWhatIsNoWorkload) {
  EXPECT_EQ(walk_forward({}).error().code, ErrorCode::invalid);
  const std::vector<PastJob> jobs{{kMonday, Duration{-1}, 1, "a"}};
  EXPECT_EQ(walk_forward(jobs).error().code, ErrorCode::invalid);
}

TEST(ForecastErrors, AreThoseOfTheDaysAfterTheWarmUp) {
  const auto jobs = made_up(4);
  const Trials trials = walked(jobs);
  const auto errors = forecast_errors(trials, jobs, {.warm_up_days = 25});
  ASSERT_TRUE(errors) << errors.error().message;
  EXPECT_EQ(errors->jobs.days, 14);
  EXPECT_EQ(errors->next_hour.hours, static_cast<std::int64_t>(trials.hours.size()) - 25 * 24);
  EXPECT_EQ(errors->run_times.jobs,
            std::ranges::count_if(jobs, [](const PastJob& job) { return job.submit_at >= kMonday + hours(25 * 24); }));
  EXPECT_LT(errors->next_hour.typical, errors->next_hour.last_hour);
  EXPECT_LT(errors->hours_of_day.predicted, errors->hours_of_day.yesterday);
  EXPECT_LT(errors->jobs.predicted, errors->jobs.yesterday);
  EXPECT_GT(errors->run_times.predicted.within_factor_2, 0.85);
  EXPECT_GE(errors->run_times.confident_within_factor_2, errors->run_times.predicted.within_factor_2);
  EXPECT_LT(errors->sizes.predicted, 1.6) << "four sizes as likely: ln 4";
}

TEST(ForecastErrors, AddUpByHand) {
  Trials trials;
  trials.days.resize(2);
  trials.hours.resize(48);
  for (auto& hour : trials.hours) hour.actual = 2, hour.predicted.typical = 1, hour.predicted.range = Range{0, 1};
  const auto errors = forecast_errors(trials, {}, {.warm_up_days = 1});
  ASSERT_TRUE(errors);
  EXPECT_DOUBLE_EQ(errors->next_hour.typical, 0.5);
  EXPECT_DOUBLE_EQ(errors->next_hour.last_hour, 0);
  EXPECT_DOUBLE_EQ(errors->next_hour.range.above, 1);
  EXPECT_EQ(forecast_errors(trials, {}, {.warm_up_days = 2}).error().code, ErrorCode::invalid);
}

}  // namespace
}  // namespace ym::sim
