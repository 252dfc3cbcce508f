#include "sim/demand/run_time_forecast.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ym::sim {
namespace {

constexpr Instant kBegin{1'000'000'000'000};

class RunTimes : public ::testing::Test {
 protected:
  Instant at(std::int64_t minute) const { return kBegin + minutes(minute); }
  void ran(std::int64_t job, const std::string& queue, std::int64_t gpus, std::int64_t from, std::int64_t to) {
    begins(job, queue, gpus, from);
    forecast_.ended(job, at(to));
  }
  void begins(std::int64_t job, const std::string& queue, std::int64_t gpus, std::int64_t from) {
    forecast_.submitted({.job = job, .at = at(from), .queue = queue, .gpus = gpus});
    forecast_.started(job, at(from));
  }
  double minutes_said(const std::string& queue, std::int64_t gpus, std::int64_t now) const {
    const auto predicted = forecast_.of_new_job(queue, gpus, at(now));
    return predicted ? std::round(std::exp2(predicted->log2_s) * 1000) / 60'000 : -1;  // to the millisecond
  }

  RunTimeForecast forecast_;
};

TEST_F(RunTimes, KnowsNothingAtFirst) {
  EXPECT_EQ(minutes_said("a", 1, 0), -1);
  begins(1, "a", 1, 0);
  EXPECT_EQ(minutes_said("a", 1, 100), -1);
}

TEST_F(RunTimes, SaysWhatJobsOfTheSameQueueAndSizeTook) {
  ran(1, "a", 1, 0, 60);
  ran(2, "a", 8, 0, 600);
  ran(3, "b", 1, 0, 6000);
  EXPECT_NEAR(minutes_said("a", 1, 6000), 60, 0.01);
  EXPECT_NEAR(minutes_said("a", 8, 6000), 600, 0.01);
  EXPECT_NEAR(minutes_said("b", 1, 6000), 6000, 0.1);
}

TEST_F(RunTimes, FallsBackToTheQueueThenTheSizeThenAll) {
  ran(1, "a", 1, 0, 60);
  ran(2, "b", 8, 100, 1600);
  EXPECT_NEAR(minutes_said("a", 8, 2000), 60, 0.01) << "of the queue";
  EXPECT_NEAR(minutes_said("c", 1, 2000), 60, 0.01) << "of the size";
  EXPECT_NEAR(minutes_said("c", 8, 2000), 1500, 0.1) << "of the size";
  EXPECT_TRUE(forecast_.of_new_job("c", 2, at(2000))) << "of all";
}

TEST_F(RunTimes, ThatJobsStillRunSaysThatTheyAreLonger) {
  for (std::int64_t job = 0; job < 3; ++job) ran(job, "a", 1, job, job + 2);
  ran(10, "a", 1, 0, 500);
  EXPECT_LT(minutes_said("a", 1, 500), 10);
  for (std::int64_t job = 20; job < 60; ++job) begins(job, "a", 1, 480);
  EXPECT_GT(minutes_said("a", 1, 500), 100) << "forty have run for twenty minutes already";
}

TEST_F(RunTimes, WhatCameLastCountsMost) {
  for (std::int64_t job = 0; job < 5; ++job) ran(job, "a", 1, job, job + 10);
  for (std::int64_t job = 5; job < 8; ++job) ran(job, "a", 1, 2000 + job, 2300 + job);
  EXPECT_NEAR(minutes_said("a", 1, 2400), 300, 1);
}

TEST_F(RunTimes, WhatWaitsOrIsCancelledBeforeItStartsIsNoEvidence) {
  ran(1, "a", 1, 0, 60);
  const auto before = forecast_.of_new_job("a", 1, at(100));
  forecast_.submitted({.job = 2, .at = at(70), .queue = "a", .gpus = 1});
  forecast_.submitted({.job = 3, .at = at(70), .queue = "a", .gpus = 1});
  forecast_.ended(3, at(90));
  forecast_.ended(99, at(95));
  forecast_.started(99, at(96));
  EXPECT_EQ(forecast_.of_new_job("a", 1, at(100)), before);
}

TEST_F(RunTimes, WaitingIsNotRunning) {
  forecast_.submitted({.job = 1, .at = at(0), .queue = "a", .gpus = 1});
  forecast_.started(1, at(1000));
  forecast_.started(1, at(1005));
  forecast_.ended(1, at(1010));
  EXPECT_NEAR(minutes_said("a", 1, 1020), 10, 0.01);
}

TEST_F(RunTimes, OneThatWaitedForLongHasNotRunForLong) {
  forecast_.submitted({.job = 1, .at = at(0), .queue = "a", .gpus = 1});
  ran(2, "a", 1, 500, 510);
  forecast_.started(1, at(999));
  const auto predicted = forecast_.of_new_job("a", 1, at(1000));
  ASSERT_TRUE(predicted);
  EXPECT_NEAR(predicted->confidence, 1, 1e-12);
}

TEST_F(RunTimes, KeepsTheNewestOfAGroup) {
  RunTimeForecast few({.kept = 2});
  for (std::int64_t job = 0; job < 4; ++job) {
    few.submitted({.job = job, .at = at(job), .queue = "a", .gpus = 1});
    few.started(job, at(job));
  }
  few.ended(0, at(10));
  EXPECT_FALSE(few.of_new_job("a", 1, at(20))) << "no longer kept";
  few.ended(3, at(30));
  EXPECT_TRUE(few.of_new_job("a", 1, at(40)));
}

}  // namespace
}  // namespace ym::sim
