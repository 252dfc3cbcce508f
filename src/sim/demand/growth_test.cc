#include "sim/demand/growth.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/random.h"

namespace ym::sim {
namespace {

std::vector<double> line(double first, double a_day, std::size_t days, double noise = 0) {
  Random random(5);
  std::vector<double> values;
  for (std::size_t i = 0; i < days; ++i) {
    const double off = static_cast<double>(random.below(2001)) / 1000 - 1;
    values.push_back(first + a_day * static_cast<double>(i) + noise * off);
  }
  return values;
}

TEST(Growth, FindsALine) {
  const auto trend = trend_of_days(line(50, 2, 30));
  ASSERT_TRUE(trend);
  EXPECT_NEAR(trend->at_end, 108, 1e-9);
  EXPECT_NEAR(trend->a_day, 2, 1e-9);
  EXPECT_NEAR(trend->a_day_error, 0, 1e-9);
}

TEST(Growth, SaysWhenTheLineIsAbove) {
  const auto outgrown = when_outgrown(line(50, 2, 30), {.gpus = 129, .within_days = 100});
  ASSERT_TRUE(outgrown);
  EXPECT_EQ(outgrown->in_days, 11);
  EXPECT_EQ(in_words(*outgrown), "in 11 days (11 to 11)");
}

TEST(Growth, SaysHowFarThatMayBeOff) {
  const auto outgrown = when_outgrown(line(100, 1, 60, 10), {.gpus = 200, .within_days = 365});
  ASSERT_TRUE(outgrown && outgrown->in_days && outgrown->earliest_in_days && outgrown->latest_in_days);
  EXPECT_LT(*outgrown->earliest_in_days, *outgrown->in_days);
  EXPECT_LT(*outgrown->in_days, *outgrown->latest_in_days);
  EXPECT_NEAR(static_cast<double>(*outgrown->in_days), 41, 10);
}

TEST(Growth, WhatIsFlatOrFallsIsNotOutgrown) {
  for (const double a_day : {0.0, 0.01, -1.0}) {
    const auto outgrown = when_outgrown(line(100, a_day, 60, 20), {.gpus = 150, .within_days = 90});
    ASSERT_TRUE(outgrown);
    EXPECT_FALSE(outgrown->in_days) << a_day;
    EXPECT_EQ(in_words(*outgrown), "not within 90 days");
  }
}

TEST(Growth, ARiseThatMayBeChanceIsNone) {
  const auto outgrown = when_outgrown(line(100, 0.05, 60, 20), {.gpus = 110, .within_days = 1000});
  ASSERT_TRUE(outgrown);
  EXPECT_GT(outgrown->trend.a_day, 0);
  EXPECT_LT(outgrown->trend.a_day, outgrown->trend.a_day_error);
  EXPECT_TRUE(outgrown->earliest_in_days);
  EXPECT_FALSE(outgrown->in_days);
}

TEST(Growth, BeyondTheHorizonNothingIsSaid) {
  const auto outgrown = when_outgrown(line(50, 0.1, 30), {.gpus = 1000, .within_days = 365});
  ASSERT_TRUE(outgrown);
  EXPECT_EQ(in_words(*outgrown), "not within 365 days");
}

TEST(Growth, WhatIsOutgrownAlreadyIsSo) {
  const auto outgrown = when_outgrown(line(100, -0.1, 30), {.gpus = 50, .within_days = 365});
  ASSERT_TRUE(outgrown);
  EXPECT_EQ(in_words(*outgrown), "now");
}

TEST(Growth, DaysLikeTheDayBeforeTellLess) {
  std::vector<double> alternating, in_runs;
  for (int i = 0; i < 64; ++i) alternating.push_back(i % 2 == 0 ? 90 : 110), in_runs.push_back(i % 16 < 8 ? 90 : 110);
  EXPECT_GT(trend_of_days(in_runs)->a_day_error, 2 * trend_of_days(alternating)->a_day_error);
}

TEST(Growth, NeedsTwoWeeks) { EXPECT_EQ(trend_of_days(line(1, 1, 13)).error().code, ErrorCode::invalid); }

}  // namespace
}  // namespace ym::sim
