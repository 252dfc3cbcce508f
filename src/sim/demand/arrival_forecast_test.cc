#include "sim/demand/arrival_forecast.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "sim/demand/calendar.h"

namespace ym::sim {
namespace {

constexpr Instant kMonday{978'307'200'000};  // 2001-01-01

// Twelve an hour by day and two by night, at equal intervals.
std::int64_t regular(std::int64_t hour) { return hour % kHoursOfDay >= 8 && hour % kHoursOfDay < 20 ? 12 : 2; }

void feed(ArrivalForecast& forecast, std::int64_t from_hour, std::int64_t to_hour) {
  for (auto hour = from_hour; hour < to_hour; ++hour) {
    const auto count = regular(hour);
    for (std::int64_t i = 0; i < count; ++i) forecast.submitted(kMonday + hours(hour) + Duration{i * kHourMs / count});
  }
}

Instant after_weeks(std::int64_t weeks) { return kMonday + hours(weeks * 7 * 24); }

TEST(Calendar, KnowsWeekends) {
  const auto monday = day_of(kMonday);
  for (std::int64_t day = 0; day < 14; ++day) EXPECT_EQ(is_weekend(monday + day), day % 7 >= 5) << day;
}

TEST(ArrivalForecast, SaysNothingComesWhereNothingCame) {
  ArrivalForecast forecast(kMonday);
  const auto predicted = forecast.next_hour(after_weeks(2));
  EXPECT_EQ(predicted.typical, 0);
  EXPECT_EQ(predicted.alike, 0);
}

TEST(ArrivalForecast, HasNoHoursAlikeInTheFirstWeek) {
  ArrivalForecast forecast(kMonday);
  feed(forecast, 0, 100);
  const auto predicted = forecast.next_hour(kMonday + hours(100));
  EXPECT_FALSE(predicted.alike);
  EXPECT_FALSE(predicted.range);
  EXPECT_EQ(predicted.typical, predicted.regression);
}

TEST(ArrivalForecast, LearnsWhatIsRegular) {
  ArrivalForecast forecast(kMonday);
  feed(forecast, 0, 28 * 24);
  const auto noon = after_weeks(4) + hours(12);
  feed(forecast, 28 * 24, 28 * 24 + 12);
  const auto predicted = forecast.next_hour(noon);
  EXPECT_NEAR(predicted.typical, 12, 1);
  ASSERT_TRUE(predicted.range);
  EXPECT_LE(predicted.range->low, 12);
  EXPECT_GE(predicted.range->high, 12);
}

TEST(ArrivalForecast, ANextDayHasTheShapeOfTheDaysBefore) {
  ArrivalForecast forecast(kMonday);
  feed(forecast, 0, 28 * 24);
  const auto predicted = forecast.next_day(after_weeks(4));
  EXPECT_NEAR(predicted[12], 12, 2);
  EXPECT_NEAR(predicted[3], 2, 1);
}

TEST(ArrivalForecast, ANextDayBeginsWithTheHourThatIs) {
  ArrivalForecast forecast(kMonday);
  feed(forecast, 0, 28 * 24 + 10);
  const auto predicted = forecast.next_day(after_weeks(4) + hours(10) + minutes(30));
  EXPECT_GT(predicted[9], 1.5 * predicted[10]) << "19 and 20 o'clock";
}

TEST(ArrivalForecast, KnowsWhatCameInThisHourYesterday) {
  ArrivalForecast forecast(kMonday);
  for (std::int64_t day = 0; day < 24; ++day) {
    for (std::int64_t i = 0; i < 30; ++i) forecast.submitted(kMonday + hours(24 * day + 9) + minutes(i));
  }
  const auto thursday = kMonday + hours(24 * 24);
  EXPECT_LT(forecast.next_hour(thursday + hours(6)).regression, 3);
  EXPECT_GT(forecast.next_hour(thursday + hours(9)).regression, 10);
}

TEST(HoursOfDay, MovesTowardsEachDayByItsSteps) {
  HoursOfDay series;
  const auto monday = hour_of(kMonday);
  const double actual = 9, x = std::log1p(actual);
  for (std::int64_t hour = 0; hour < 24; ++hour) series.learn(monday + hour, actual);
  EXPECT_NEAR(series.predict(monday + 24)[0], std::expm1((0.5 + 0.1 + 0.2) * x), 1e-9);
  for (std::int64_t hour = 24; hour < 48; ++hour) series.learn(monday + hour, actual);
  EXPECT_NEAR(series.predict(monday + 48)[0], std::expm1((0.75 + 0.12 + 0.24) * x), 1e-9);
  EXPECT_NEAR(series.predict(monday + 5 * 24)[0], std::expm1((0.75 + 0.12) * x), 1e-9)
      << "of weekends nothing is known";
}

TEST(ArrivalForecast, JobsOfTheVeryMomentAreNotYetKnown) {
  ArrivalForecast one(kMonday), other(kMonday);
  feed(one, 0, 500), feed(other, 0, 500);
  const auto now = kMonday + hours(500);
  for (int i = 0; i < 50; ++i) other.submitted(now);
  EXPECT_EQ(one.next_hour(now), other.next_hour(now));
  EXPECT_NE(one.next_hour(now + minutes(1)), other.next_hour(now + minutes(1)));
}

TEST(ArrivalForecast, AskingChangesNothing) {
  ArrivalForecast asked(kMonday), silent(kMonday);
  for (std::int64_t hour = 0; hour < 800; ++hour) {
    feed(asked, hour, hour + 1), feed(silent, hour, hour + 1);
    asked.next_hour(kMonday + hours(hour + 1) - Duration{1});
    asked.next_day(kMonday + hours(hour + 1) - Duration{1});
  }
  const auto now = kMonday + hours(800) + minutes(20);
  EXPECT_EQ(asked.next_hour(now), silent.next_hour(now));
  EXPECT_EQ(asked.next_day(now), silent.next_day(now));
}

TEST(ArrivalForecast, WhatComesLateCountsAsOfTheLatestMoment) {
  ArrivalForecast late(kMonday), punctual(kMonday);
  late.next_hour(kMonday + hours(30));
  late.submitted(kMonday + hours(1));
  punctual.submitted(kMonday + hours(30));
  EXPECT_EQ(late.next_hour(kMonday + hours(31)), punctual.next_hour(kMonday + hours(31)));
}

TEST(ErrorBand, LeavesATenthOfTheErrorsBeyondEitherSide) {
  ErrorBand band(100);
  EXPECT_FALSE(band.around(5));
  for (int i = 1; i <= 99; ++i) band.add(0, i);  // errors of ln 2 to ln 100
  const auto range = band.around(0);
  ASSERT_TRUE(range);
  EXPECT_NEAR(range->low, 10, 1e-9);
  EXPECT_NEAR(range->high, 90, 1e-9);
}

TEST(ErrorBand, ForgetsOldErrors) {
  ErrorBand band(10);
  for (int i = 0; i < 10; ++i) band.add(0, 1000);
  for (int i = 0; i < 10; ++i) band.add(3, 3);
  EXPECT_EQ(band.around(7), (Range{7, 7}));
}

TEST(RecursiveLeastSquares, FindsALine) {
  RecursiveLeastSquares line(2, 1.0);
  Random random(7);
  for (int i = 0; i < 2000; ++i) {
    const double x = static_cast<double>(random.below(1000)) / 100;
    line.learn(std::vector{1.0, x}, 3 + 2 * x);
  }
  EXPECT_NEAR(line.predict(std::vector{1.0, 4.0}), 11, 0.01);
}

}  // namespace
}  // namespace ym::sim
