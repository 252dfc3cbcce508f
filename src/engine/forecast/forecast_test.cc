#include "engine/forecast/forecast.h"

#include <gtest/gtest.h>

#include "engine/forecast/deadline_verdict.h"
#include "scenario/language/world.h"

namespace ym::engine {
namespace {

using ym::testing::kStart;
using ym::testing::World;

World with_one_gpu() {
  World world;
  world.apply(
      NodeSet{{.name = "n1", .cluster = "lab", .gpu_type = "t4", .devices = {{.id = "0"}}, .cpus = 8 * kMilli}});
  return world;
}

JobSpec for_an_hour() {
  JobSpec spec;
  spec.resources.gpus = kMilli;
  spec.time_limit = hours(1);
  return spec;
}

// Twenty jobs that start one after the other and run for an hour each.
World one_after_the_other() {
  World world = with_one_gpu();
  for (int i = 0; i < 20; ++i) world.submit(for_an_hour(), kStart);
  return world;
}

TEST(Forecast, SeesNoFurtherThanItMayLook) {
  World world = one_after_the_other();
  const auto all = forecast(world.state(), {}, kStart);
  EXPECT_EQ(all.starts.size(), 20U);
  const auto few = forecast(world.state(), {}, kStart, {.cycles = 6});
  EXPECT_GE(few.starts.size(), 2U);
  EXPECT_LE(few.starts.size(), 6U);
  EXPECT_LT(few.until, all.until);
  const auto soon = forecast(world.state(), {}, kStart, {.horizon = hours(5)});
  EXPECT_LE(soon.starts.size(), 6U);
}

// Each cycle counts the waiting jobs: 20, 19, 18 and so on.
TEST(Forecast, LooksAtNoMoreThanItMay) {
  World world = one_after_the_other();
  const auto few = forecast(world.state(), {}, kStart, {.looks = 20 + 19 + 18});
  EXPECT_GE(few.starts.size(), 2U);
  EXPECT_LE(few.starts.size(), 3U);
  EXPECT_TRUE(forecast(world.state(), {}, kStart, {.looks = 19}).starts.empty());
}

// For the jobs that the forecast did not reach, it says only that.
TEST(Forecast, SaysWhichJobsItDidNotLookAt) {
  World world = one_after_the_other();
  const auto few = forecast(world.state(), {}, kStart, {.cycles = 6});
  EXPECT_EQ(few.starts.size() + few.without.size(), 20U);
  for (const auto& [job, cause] : few.without) {
    EXPECT_FALSE(few.starts.contains(job));
    EXPECT_EQ(cause, NoStart::not_looked_at);
  }
  EXPECT_FALSE(few.horizon);
  EXPECT_TRUE(forecast(world.state(), {}, kStart).without.empty());
}

// Starts that were found before the bound hold; there are no fewer than with fewer cycles.
TEST(Forecast, EndsWhenItIsToldTo) {
  World world = one_after_the_other();
  const auto all = forecast(world.state(), {}, kStart);
  int left = 4;
  const auto some = forecast(world.state(), {}, kStart, {.go_on = [&] { return left-- > 0; }});
  EXPECT_LT(some.starts.size(), all.starts.size());
  EXPECT_LE(some.until, all.until);
  EXPECT_TRUE(forecast(world.state(), {}, kStart, {.go_on = [] { return false; }}).starts.empty());
}

// A predicted start half an hour to two hours ahead, in a forecast of ten hours.
class AdjustedAt : public ::testing::Test {
 protected:
  PredictedStart adjusted(Instant now) const { return adjusted_at(forecast_, "q", start_, now); }
  static Instant at(Duration ahead) { return kStart + ahead; }

  Forecast forecast_{.as_of = kStart, .until = at(hours(10)), .horizon = at(hours(10)), .start_allowance = minutes(1)};
  PredictedStart start_{.median = at(hours(1)), .low = at(minutes(30)), .high = at(hours(2))};
};

TEST_F(AdjustedAt, AsTheRunsHaveItWhereNothingIsLearnt) {
  EXPECT_EQ(adjusted(kStart), start_);
  forecast_.margins["other"] = {.early_milli = 5'000, .late_milli = 5'000};
  EXPECT_EQ(adjusted(kStart), start_) << "that is of another queue";
}

TEST_F(AdjustedAt, AsFarApartAsStartsOfItsQueueWere) {
  forecast_.margins["q"] = {.early_milli = 2'000, .late_milli = 3'000};
  EXPECT_EQ(adjusted(kStart).median, start_.median);
  EXPECT_EQ(adjusted(kStart).low, at(seconds(870))) << "half of 31 minutes, less the one that a start takes";
  EXPECT_EQ(adjusted(kStart).high, at(minutes(362))) << "three times 121, less one";
  forecast_.margins["q"].early_milli = 64'000;
  EXPECT_EQ(adjusted(kStart).low, kStart) << "never before now";
}

// The ends are at least a 32nd of the time ahead apart, and the late end is a minute later.
TEST_F(AdjustedAt, NeverAPoint) {
  forecast_.margins["q"] = {.early_milli = 500, .late_milli = 500};
  start_.low = start_.median;
  start_.high = at(minutes(61));
  EXPECT_EQ(adjusted(kStart).low, start_.median - Duration{hours(1).ms / 32});
  EXPECT_EQ(adjusted(kStart).high, start_.median + Duration{hours(1).ms / 32} + minutes(1));
  start_ = {.median = kStart, .low = kStart, .high = kStart};
  EXPECT_EQ(adjusted(kStart).high, at(minutes(1)));
  forecast_.start_allowance = seconds(0);
  EXPECT_EQ(adjusted(kStart).high, at(kFinest));
}

TEST_F(AdjustedAt, WhatHasPassedIsStillToCome) {
  const auto late = adjusted(at(hours(3)));
  EXPECT_EQ(late.low, at(hours(3)));
  EXPECT_EQ(late.median, at(hours(3)));
  EXPECT_EQ(late.high, at(hours(3) + minutes(1)));
}

// The slow run knows only that the start is beyond the horizon. Where such late ends were far too late, that is
// corrected.
TEST_F(AdjustedAt, AnOpenEndIsClosedByWhatWasLearntOnly) {
  start_.high.reset();
  forecast_.margins["q"].late_milli = 1'500;
  EXPECT_FALSE(adjusted(kStart).high);
  forecast_.margins["q"].late_milli = 500;
  EXPECT_EQ(adjusted(kStart).high, at(minutes(300)) - seconds(30)) << "half of ten hours";
  forecast_.horizon.reset();
  EXPECT_FALSE(adjusted(kStart).high) << "the slow run did not look so far";
}

TEST_F(AdjustedAt, ALateEndIsNeverEarlierThanThatOfTheRuns) {
  EXPECT_EQ(late_end_of(forecast_, "q", start_), start_.high);
  forecast_.margins["q"].late_milli = 500;
  EXPECT_EQ(late_end_of(forecast_, "q", start_), start_.high);
  forecast_.margins["q"].late_milli = 2'000;
  EXPECT_EQ(late_end_of(forecast_, "q", start_), at(minutes(241)));
  start_.high.reset();
  EXPECT_FALSE(late_end_of(forecast_, "q", start_));
}

// It would start after an hour and has half an hour left. That is too little where starts take twice as long.
TEST(DeadlineVerdict, IsAsCarefulAsStartsWereLate) {
  World world = with_one_gpu();
  world.submit(for_an_hour(), kStart);
  JobSpec spec = for_an_hour();
  spec.deadline = kStart + minutes(150);
  const JobId job = world.submit(spec, kStart);
  const Policy policy;
  Forecast seen = forecast(world.state(), policy, kStart);
  const auto outcome = [&] { return DeadlineJudge(world.state(), policy, seen).judge(job)->outcome; };
  EXPECT_EQ(outcome(), DeadlineVerdict::Outcome::feasible);
  seen.margins["default"].late_milli = 2'000;
  EXPECT_NE(outcome(), DeadlineVerdict::Outcome::feasible);
}

}  // namespace
}  // namespace ym::engine
