#include "sim/demand/day_forecast.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sim/demand/level.h"

namespace ym::sim {
namespace {

constexpr Instant kMonday{978'307'200'000};  // 2001-01-01

Instant at(std::int64_t day, Duration later = {}) { return kMonday + hours(24 * day) + later; }

class Days : public ::testing::Test {
 protected:
  void begins(const std::string& queue, std::int64_t gpus, Instant when) {
    jobs_ += 1;
    forecast_.submitted({.job = jobs_, .at = when, .queue = queue, .gpus = gpus});
    forecast_.started(jobs_, when);
  }
  // Submits `count` jobs of one hour each, one after another from midnight on.
  void day_of_jobs(std::int64_t day, std::int64_t count, std::int64_t gpus = 1) {
    for (std::int64_t i = 0; i < count; ++i) {
      begins("a", gpus, at(day, hours(i)));
      forecast_.ended(jobs_, at(day, hours(i + 1)));
    }
  }

  DayForecast forecast_{kMonday};
  std::int64_t jobs_ = 0;
};

TEST(Level, FollowsASeriesAndShrinksItsFirstWeekends) {
  const std::vector<double> flat(10, 99.0);
  const DaySeries series{.values = flat, .first_day = day_of(kMonday), .step = 0.3};
  EXPECT_NEAR(next_of_days(series, series.first_day + 10), 99, 1e-9);
  EXPECT_EQ(next_of_days({}, 5), 0);
  const std::vector<double> jump{0, 99};  // a Friday, a Saturday
  const DaySeries jumps{.values = jump, .first_day = 8, .step = 0.3};
  EXPECT_NEAR(next_of_days(jumps, 10), std::pow(100, 0.15 + 0.5) - 1, 1e-9) << "half of it is taken for the weekend's";
  EXPECT_NEAR(next_of_days(jumps, 11), std::pow(100, 0.15) - 1, 1e-9);
}

TEST(Level, KnowsThatWeekendsAreQuiet) {
  std::vector<double> values;
  const auto monday = day_of(kMonday);
  for (std::int64_t day = 0; day < 35; ++day) values.push_back(is_weekend(monday + day) ? 9 : 99);
  const DaySeries series{.values = values, .first_day = monday, .step = 0.3};
  EXPECT_NEAR(next_of_days(series, monday + 35), 99, 5) << "a Monday";
  EXPECT_NEAR(next_of_days(series, monday + 40), 9, 2) << "the Saturday after it";
}

TEST_F(Days, SaysWhatEveryDayHad) {
  for (std::int64_t day = 0; day < 40; ++day) day_of_jobs(day, 20, 2);
  const DayPrediction predicted = forecast_.next_day(at(40));
  EXPECT_EQ(predicted.day, day_of(at(40)));
  EXPECT_NEAR(predicted.jobs.typical, 20, 0.01);
  EXPECT_NEAR(predicted.gpu_hours.typical, 40, 0.01);
  ASSERT_TRUE(predicted.jobs.range);
  EXPECT_NEAR(predicted.jobs.range->low, 20, 0.01);
  EXPECT_NEAR(predicted.jobs.range->high, 20, 0.01);
}

TEST_F(Days, HasNoRangeBeforeTenErrorsAreKnown) {
  for (std::int64_t day = 0; day < 30; ++day) day_of_jobs(day, 5);
  EXPECT_FALSE(forecast_.today(at(30)).jobs.range);
  for (std::int64_t day = 30; day < 31; ++day) day_of_jobs(day, 5);
  EXPECT_TRUE(forecast_.today(at(31)).jobs.range);
}

TEST_F(Days, GpusInUseAreThoseAtTheBeginningTimesWhatDaysMadeOfThem) {
  begins("a", 10, at(0));
  for (std::int64_t day = 0; day < 28; ++day) {
    begins("a", 20, at(day, hours(12)));
    forecast_.ended(jobs_, at(day + 1));
  }
  const DayPrediction predicted = forecast_.next_day(at(28));
  EXPECT_NEAR(predicted.gpus_in_use.typical, 20, 1e-9) << "10 at midnight, 30 from noon on";
  EXPECT_EQ(forecast_.gpus_in_use_by_day(at(28)), std::vector<double>(28, 20.0));
}

TEST_F(Days, WeekendsAreComparedWithWeekends) {
  begins("a", 10, at(0));
  for (std::int64_t day = 0; day < 28; ++day) {
    if (is_weekend(day_of(at(day)))) continue;
    begins("a", 20, at(day, hours(12)));
    forecast_.ended(jobs_, at(day + 1));
  }
  EXPECT_NEAR(forecast_.next_day(at(28)).gpus_in_use.typical, 20, 1e-9);
  EXPECT_NEAR(forecast_.next_day(at(33)).gpus_in_use.typical, 10, 1e-9) << "a Saturday";
}

TEST_F(Days, AJobStartsOnce) {
  begins("a", 4, at(0));
  forecast_.started(jobs_, at(0, hours(12)));
  EXPECT_EQ(forecast_.gpus_in_use_by_day(at(1)), std::vector{4.0});
}

TEST_F(Days, WithFewDaysLikeItAsManyAsAtTheBeginningAreInUse) {
  begins("a", 10, at(0, hours(1)));
  EXPECT_EQ(forecast_.today(at(1)).gpus_in_use.typical, 10);
}

TEST_F(Days, AJobThatRunsCountsThreeTimesWhatItHasUsed) {
  begins("a", 4, at(0));
  EXPECT_NEAR(forecast_.today(at(1)).gpu_hours.typical, 3 * 4 * 24, 1e-6);
}

TEST_F(Days, WhatWaitsUsesNothing) {
  forecast_.submitted({.job = 1, .at = at(0, hours(2)), .queue = "a", .gpus = 4});
  const DayPrediction predicted = forecast_.today(at(1));
  EXPECT_EQ(predicted.gpu_hours.typical, 0);
  EXPECT_EQ(predicted.gpus_in_use.typical, 0);
  forecast_.ended(1, at(1, hours(1)));
  EXPECT_NEAR(forecast_.today(at(2)).gpus_in_use.typical, 0, 1e-9);
}

TEST_F(Days, WhatEndsAtMidnightIsNoLongerInUseThen) {
  begins("a", 4, at(0, hours(2)));
  forecast_.ended(jobs_, at(1));
  EXPECT_EQ(forecast_.today(at(1)).gpus_in_use.typical, 0);
  EXPECT_NEAR(forecast_.today(at(1)).gpu_hours.typical, 88, 1e-9);
}

TEST_F(Days, TodayStaysAsItWasSaidAtItsBeginning) {
  for (std::int64_t day = 0; day < 9; ++day) day_of_jobs(day, 7);
  const DayPrediction morning = forecast_.today(at(9));
  EXPECT_EQ(forecast_.next_day(at(9)), morning);
  day_of_jobs(9, 20);
  EXPECT_EQ(forecast_.today(at(9, hours(22))), morning);
}

TEST_F(Days, TomorrowDoesNotYetCountTodaysJobs) {
  for (std::int64_t day = 0; day < 9; ++day) day_of_jobs(day, 7);
  const DayPrediction before = forecast_.next_day(at(9, Duration{1}));
  day_of_jobs(9, 20);
  const DayPrediction after = forecast_.next_day(at(9, hours(22)));
  EXPECT_EQ(before.day, day_of(at(10)));
  EXPECT_EQ(after.jobs, before.jobs);
}

TEST_F(Days, AskingChangesNothing) {
  DayForecast silent(kMonday);
  for (std::int64_t hour = 0; hour < 40 * 24; hour += 5) {
    const auto when = kMonday + hours(hour);
    begins("a", 1 + hour % 7, when);
    silent.submitted({.job = jobs_, .at = when, .queue = "a", .gpus = 1 + hour % 7});
    silent.started(jobs_, when);
    if (jobs_ > 6) forecast_.ended(jobs_ - 6, when + hours(1)), silent.ended(jobs_ - 6, when + hours(1));
    forecast_.next_day(when + hours(2));
    forecast_.today(when + hours(2));
  }
  EXPECT_EQ(forecast_.next_day(at(41)), silent.next_day(at(41)));
}

}  // namespace
}  // namespace ym::sim
