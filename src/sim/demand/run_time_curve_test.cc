#include "sim/demand/run_time_curve.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ym::sim {
namespace {

RunTimePoint ended(double log2_s, double weight = 1) { return {log2_s, weight, false}; }
RunTimePoint running(double log2_s, double weight = 1) { return {log2_s, weight, true}; }

TEST(RunTimeCurve, SaysTheMiddleOfTheMostLikelyWindow) {
  const RunTimeCurve curve({ended(2), ended(10), ended(10.5), ended(11)});
  const auto predicted = curve.of_new_job();
  ASSERT_TRUE(predicted);
  EXPECT_DOUBLE_EQ(predicted->log2_s, 10.5);
  EXPECT_DOUBLE_EQ(predicted->confidence, 0.75);
  EXPECT_EQ(predicted->p10, 2);
  EXPECT_EQ(predicted->p50, 10);
  EXPECT_EQ(predicted->p90, 11);
}

TEST(RunTimeCurve, StaysWithinAFactorTwoOfHalfTheWayToTheWholeWindow) {
  // The median of the window is 4. The point within 1 of both ends is 5. The forecast is in the middle.
  const auto predicted = RunTimeCurve({ended(4), ended(4), ended(4), ended(6)}).of_new_job();
  ASSERT_TRUE(predicted);
  EXPECT_DOUBLE_EQ(predicted->log2_s, 4.5);
  EXPECT_DOUBLE_EQ(predicted->confidence, 1);
}

TEST(RunTimeCurve, WindowsThatAreAsWideAsTheyMayBeHaveAMiddle) {
  // A factor of 4 apart, with rounding in both directions.
  for (int i = 1; i < 2000; ++i) {
    const double shortest = std::log2(0.37 * i), longest = std::log2(0.37 * i * 4);
    const auto predicted = RunTimeCurve({ended(shortest), ended(longest)}).of_new_job();
    ASSERT_TRUE(predicted);
    EXPECT_NEAR(predicted->log2_s, (shortest + shortest + 1) / 2, 0.6) << i;
  }
}

TEST(RunTimeCurve, OfTwoWindowsAsLikelyTakesTheShorterTimes) {
  const auto predicted = RunTimeCurve({ended(9), ended(3)}).of_new_job();
  ASSERT_TRUE(predicted);
  EXPECT_EQ(predicted->log2_s, 3);
}

TEST(RunTimeCurve, WhatRunsMovesProbabilityToLongerTimes) {
  // Kaplan-Meier by hand: 1/4 at 3. The job that runs for 5 leaves two others: half of 3/4 each at 8 and 12.
  const auto predicted = RunTimeCurve({ended(3), running(5), ended(8), ended(12)}).of_new_job();
  ASSERT_TRUE(predicted);
  EXPECT_DOUBLE_EQ(predicted->log2_s, 8);
  EXPECT_DOUBLE_EQ(predicted->confidence, 0.375);
}

TEST(RunTimeCurve, WhatHasRunForLessThanAllThatEndedChangesNothing) {
  const RunTimeCurve without({ended(6), ended(7), ended(12)}),
      with({running(1), running(2), ended(6), ended(7), ended(12)});
  EXPECT_EQ(without.of_new_job(), with.of_new_job());
}

TEST(RunTimeCurve, OneThatEndedCountsBeforeOneThatHasRunForAsLong) {
  const auto predicted = RunTimeCurve({running(5), ended(5)}).of_new_job();
  ASSERT_TRUE(predicted);
  EXPECT_DOUBLE_EQ(predicted->confidence, 0.5);
}

TEST(RunTimeCurve, HeavierPointsCountForMore) {
  const auto predicted = RunTimeCurve({ended(3, 1), ended(9, 3)}).of_new_job();
  ASSERT_TRUE(predicted);
  EXPECT_EQ(predicted->log2_s, 9);
  EXPECT_DOUBLE_EQ(predicted->confidence, 0.75);
}

TEST(RunTimeCurve, SaysNothingWhereNoneEnded) {
  EXPECT_FALSE(RunTimeCurve({}).of_new_job());
  EXPECT_FALSE(RunTimeCurve({running(9)}).of_new_job());
}

TEST(RunTimeCurve, DoesNotDependOnTheOrderOfItsPoints) {
  const RunTimeCurve one({ended(3, 1), ended(3, 2), running(4), ended(5), ended(5, 0.5)});
  const RunTimeCurve other({ended(5, 0.5), running(4), ended(3, 2), ended(5), ended(3, 1)});
  EXPECT_EQ(one.of_new_job(), other.of_new_job());
}

}  // namespace
}  // namespace ym::sim
