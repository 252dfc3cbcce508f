#include "control/run_times.h"

#include <gtest/gtest.h>

namespace ym {
namespace {

Job job_named(std::string name, std::vector<std::string> words = {"train.py"}, std::string owner = "ann") {
  JobSpec spec;
  spec.name = std::move(name);
  spec.run.words = std::move(words);
  Job job{.spec = std::make_shared<const JobSpec>(spec)};
  job.owner = std::move(owner);
  job.state = JobState::succeeded;
  return job;
}

std::vector<Attempt> ran_for(Duration time) {
  Attempt attempt;
  attempt.number = 1;
  attempt.started_at = Instant{1'000};
  attempt.ended_at = Instant{1'000} + time;
  return {attempt};
}

void add(RunTimes& times, const Job& job, const std::vector<Attempt>& attempts) {
  times.add(sample_of(job, attempts).value());
}

TEST(RunTimes, NothingIsSaidOfLessThanThree) {
  RunTimes times;
  add(times, job_named("train"), ran_for(minutes(1)));
  add(times, job_named("train"), ran_for(minutes(1)));
  EXPECT_FALSE(times.predict(job_named("train")));
  add(times, job_named("train"), ran_for(minutes(4)));
  const PredictedRunTime wanted{
      .p10 = minutes(1), .p50 = minutes(1), .p90 = minutes(4), .samples = 3, .of_same_user = true};
  EXPECT_EQ(times.predict(job_named("train")), wanted);
}

TEST(RunTimes, QuantilesAreTheNearestRanks) {
  RunTimes times;
  for (int i = 1; i <= 20; ++i) add(times, job_named("train"), ran_for(minutes(i)));
  const PredictedRunTime wanted{
      .p10 = minutes(2), .p50 = minutes(10), .p90 = minutes(18), .samples = 20, .of_same_user = true};
  EXPECT_EQ(times.predict(job_named("train")), wanted);
}

TEST(RunTimes, WhatASweepVariesDoesNotCount) {
  RunTimes times;
  for (int i = 0; i < 3; ++i)
    add(times, job_named("lr-0.0" + std::to_string(i), {"train.py", "--lr=0.0" + std::to_string(i)}),
        ran_for(minutes(5)));
  for (int i = 0; i < 9; ++i) add(times, job_named("other"), ran_for(hours(5)));
  EXPECT_EQ(times.predict(job_named("lr-0.1", {"train.py", "--lr=0.1"}))->p50, minutes(5));
}

TEST(RunTimes, TheClosestGroupThatKnowsEnoughDecides) {
  RunTimes times;
  for (int i = 0; i < 3; ++i) add(times, job_named("eval", {"eval.py"}), ran_for(minutes(2)));
  for (int i = 0; i < 3; ++i) add(times, job_named("train", {"train.py"}), ran_for(hours(2)));
  EXPECT_EQ(times.predict(job_named("eval", {"eval2.py"}))->p50, minutes(2)) << "the same user and name";
  EXPECT_EQ(times.predict(job_named("new"))->samples, 6) << "the same user and resources";
  EXPECT_EQ(times.predict(job_named("new", {"x"}, "bob"))->samples, 6) << "anybody's with these resources";
  EXPECT_FALSE(times.predict(job_named("new", {"x"}, "bob"))->of_same_user);
  EXPECT_TRUE(times.predict(job_named("new"))->of_same_user);
}

TEST(RunTimes, WhatFailedOrWasCancelledSaysNothing) {
  Job job = job_named("train");
  job.state = JobState::failed;
  EXPECT_FALSE(sample_of(job, ran_for(minutes(1))));
  job.state = JobState::cancelled;
  EXPECT_FALSE(sample_of(job, ran_for(minutes(1))));
  job.state = JobState::timed_out;
  EXPECT_TRUE(sample_of(job, ran_for(minutes(1))));
  EXPECT_FALSE(sample_of(job, {})) << "it never ran";
}

TEST(RunTimes, OnlyTheNewestCount) {
  RunTimes times;
  for (std::size_t i = 0; i < RunTimes::kKeptSamples; ++i) add(times, job_named("train"), ran_for(hours(1)));
  for (std::size_t i = 0; i < RunTimes::kKeptSamples; ++i) add(times, job_named("train"), ran_for(minutes(1)));
  EXPECT_EQ(times.predict(job_named("train"))->p90, minutes(1));
}

TEST(RunTimes, AJobThatWentOnFromACheckpointRanForAllItsAttempts) {
  auto attempts = ran_for(hours(1));
  attempts.push_back(attempts.front());
  EXPECT_EQ(run_time_of(attempts), hours(1)) << "the second began anew";
  attempts.back().resumes_from = Checkpoint{};
  EXPECT_EQ(run_time_of(attempts), hours(2));
}

TEST(RunTimes, GroupsOfLongAgoAreForgotten) {
  RunTimes times;
  for (int i = 0; i < 3; ++i) add(times, job_named("first", {"x"}, "zoe"), ran_for(minutes(7)));
  for (std::size_t i = 0; i < RunTimes::kMostGroups; ++i)
    add(times, job_named(std::string("job-") + static_cast<char>('a' + i % 26), {"x"}, "user" + std::to_string(i)),
        ran_for(hours(1)));
  EXPECT_EQ(times.predict(job_named("first", {"x"}, "zoe"))->p50, hours(1)) << "only what all jobs took is known";
}

TEST(RunTimes, ATenthMoreOrLessIsNoNews) {
  const PredictedRunTime before{.p10 = minutes(1), .p50 = minutes(10), .p90 = minutes(20), .samples = 3};
  EXPECT_TRUE(is_news(before, std::nullopt));
  auto now = before;
  now.samples = 64;
  now.p50 = minutes(11);
  EXPECT_FALSE(is_news(now, before));
  now.p50 = minutes(11) + Duration{1};
  EXPECT_TRUE(is_news(now, before));
  now = before;
  now.of_same_user = true;
  EXPECT_TRUE(is_news(now, before));
}

TEST(RunTimes, NorIsASecond) {
  const PredictedRunTime before{.p90 = Duration{1}, .samples = 3};
  EXPECT_FALSE(is_news({.p90 = Duration{1001}, .samples = 10}, before));
  EXPECT_TRUE(is_news({.p90 = Duration{1002}, .samples = 10}, before));
}

}  // namespace
}  // namespace ym
