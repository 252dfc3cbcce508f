#include "control/state/run_times.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

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
  attempt.tasks.push_back({.exit = TaskExit{.at = *attempt.ended_at}});
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
  EXPECT_EQ(times.predict(job_named("train"))->p50, minutes(1));
  EXPECT_EQ(times.predict(job_named("train"))->samples, 3);
}

// Half of all further values lie beyond three samples, so the bounds move outward by 1 + 4.5 / 3.
TEST(RunTimes, FewSamplesSayLittle) {
  RunTimes times;
  for (const int took : {1, 1, 4}) add(times, job_named("train"), ran_for(minutes(took)));
  const PredictedRunTime wanted{
      .p10 = seconds(24), .p50 = minutes(1), .p90 = minutes(10), .samples = 3, .of_same_user = true};
  EXPECT_EQ(times.predict(job_named("train")), wanted);
}

// The bounds are for the next job. Of twenty samples, the second from each end is the bound; of nine, the first.
TEST(RunTimes, ATenthOfNewOnesIsBeyondTheBounds) {
  RunTimes times;
  for (int i = 1; i <= 9; ++i) add(times, job_named("train"), ran_for(minutes(i)));
  PredictedRunTime wanted{.p10 = minutes(1), .p50 = minutes(5), .p90 = minutes(9), .samples = 9, .of_same_user = true};
  EXPECT_EQ(times.predict(job_named("train")), wanted);
  for (int i = 10; i <= 20; ++i) add(times, job_named("train"), ran_for(minutes(i)));
  wanted = {.p10 = minutes(2), .p50 = minutes(10), .p90 = minutes(19), .samples = 20, .of_same_user = true};
  EXPECT_EQ(times.predict(job_named("train")), wanted);
}

// Four runs of one minute tell next to nothing about another program of another size.
TEST(RunTimes, FourJobsOfAnotherProgramAndSizeSayNextToNothing) {
  RunTimes times;
  for (int i = 0; i < 4; ++i) add(times, job_named("train", {"warm_up.py"}), ran_for(minutes(1)));
  JobSpec large = *job_named("train").spec;
  large.resources.gpus = 8 * kMilli;
  Job job = job_named("train");
  job.spec = std::make_shared<const JobSpec>(large);
  const auto predicted = times.predict(job);
  ASSERT_TRUE(predicted) << "of the same user and name";
  EXPECT_GE(predicted->p90.ms, 18 * predicted->p10.ms);
  job.owner = "bob";
  EXPECT_FALSE(times.predict(job)) << "nor anything of other people's";
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
  for (int i = 0; i < 5; ++i) add(times, job_named("eval", {"eval.py"}), ran_for(minutes(2)));
  for (int i = 0; i < 5; ++i) add(times, job_named("train", {"train.py"}), ran_for(hours(2)));
  EXPECT_EQ(times.predict(job_named("eval", {"eval2.py"}))->p50, minutes(2)) << "the same user and name";
  EXPECT_EQ(times.predict(job_named("new"))->samples, 10) << "the same user and resources";
  EXPECT_EQ(times.predict(job_named("new", {"x"}, "bob"))->samples, 10) << "anybody's with these resources";
  EXPECT_FALSE(times.predict(job_named("new", {"x"}, "bob"))->of_same_user);
  EXPECT_TRUE(times.predict(job_named("new"))->of_same_user);
}

// Ten jobs that took from 1 to 10 minutes: the bounds are the first and the last.
TEST(RunTimes, TheWiderTheGroupTheWiderTheBounds) {
  RunTimes times;
  for (int i = 1; i <= 10; ++i) add(times, job_named("train", {"train.py"}), ran_for(minutes(i)));
  const auto bounds = [&](const Job& job) {
    const auto predicted = times.predict(job).value();
    return std::pair(predicted.p10, predicted.p90);
  };
  EXPECT_EQ(bounds(job_named("train")), std::pair(minutes(1), minutes(10)));
  EXPECT_EQ(bounds(job_named("train", {"other.py"})), std::pair(seconds(30), minutes(20)));
  EXPECT_EQ(bounds(job_named("new", {"other.py"})), std::pair(seconds(30), minutes(20)));
  EXPECT_EQ(bounds(job_named("new", {"other.py"}, "bob")), std::pair(seconds(15), minutes(40)));
}

TEST(RunTimes, OfOtherPeoplesJobsItTakesMore) {
  RunTimes times;
  for (int i = 0; i < 9; ++i) add(times, job_named("train"), ran_for(minutes(1)));
  EXPECT_FALSE(times.predict(job_named("new", {"x"}, "bob")));
  add(times, job_named("train"), ran_for(minutes(1)));
  EXPECT_TRUE(times.predict(job_named("new", {"x"}, "bob")));
}

// Predictions were too narrow several times, so they become wider.
TEST(RunTimes, LearnsFromWhatWasSaid) {
  RunTimes times;
  for (int i = 0; i < 10; ++i) add(times, job_named("train"), ran_for(minutes(10)));
  Job job = job_named("train");
  job.predicted = PredictedRunTime{.p10 = minutes(9), .p50 = minutes(9), .p90 = minutes(9), .samples = 3};
  for (int i = 0; i < 200; ++i) add(times, job, ran_for(minutes(10)));
  EXPECT_GT(times.predict(job)->p90, minutes(20));
  EXPECT_EQ(times.predict(job)->p10, minutes(10)) << "nothing was quicker";
  job.predicted->p10 = job.predicted->p90 = minutes(11);
  for (int i = 0; i < 200; ++i) add(times, job, ran_for(minutes(10)));
  EXPECT_LT(times.predict(job)->p10, minutes(5));
}

// In each hundred jobs, each job is a hundredth longer than the one before. By the samples alone, too many jobs would
// be slower than predicted.
TEST(RunTimes, NineOfTenAreNoSlowerThanWasSaid) {
  RunTimes times;
  Duration next = hours(1);
  int slower = 0;
  for (int i = 0; i < 2000; ++i) {
    Job job = job_named("train");
    job.predicted = times.predict(job);
    if (i >= 1000) slower += next > job.predicted->p90 ? 1 : 0;
    add(times, job, ran_for(next));
    if (i % 100 == 0) next = minutes(60);
    next = {next.ms * 101 / 100};
  }
  EXPECT_GT(slower, 50);
  EXPECT_LT(slower, 150);
}

// The history that a server reads at its start, of jobs submitted one after the other. Each job gets the prediction
// that was possible at its submit.
TEST(RunTimes, WhatIsPastTeachesAsItDidThen) {
  RunTimes live, again;
  std::vector<RunTimeSample> samples;
  for (int i = 0; i < 300; ++i) {
    Job job = job_named("train");
    job.submitted_at = Instant{} + hours(i);
    job.ended_at = job.submitted_at + minutes(59);
    job.predicted = live.predict(job);
    samples.push_back(sample_of(job, ran_for(minutes(1 + i % 20 * (1 + i / 100)))).value());
    live.add(samples.back());
    samples.back().predicted.reset();
  }
  std::ranges::reverse(samples);
  again.add_past(samples);
  EXPECT_EQ(again.predict(job_named("train")), live.predict(job_named("train")));
  EXPECT_GT(live.predict(job_named("train"))->p90, minutes(58)) << "of which something was learnt";
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

TEST(RunTimes, WhatEndedWhileNoServerWasThereRanUntilItsOwnEnd) {
  auto attempts = ran_for(hours(5));
  attempts.front().tasks.front().exit->at = Instant{1'000} + hours(1);
  EXPECT_EQ(run_time_of(attempts), hours(1));
  attempts.front().tasks.push_back({.exit = TaskExit{.at = Instant{1'000} + hours(2)}});
  EXPECT_EQ(run_time_of(attempts), hours(2)) << "the last of its tasks";
}

TEST(RunTimes, AClockThatIsWrongSaysNothing) {
  for (const Instant at : {Instant{0}, Instant{1'000} + hours(9)}) {
    auto attempts = ran_for(hours(5));
    attempts.front().tasks.front().exit->at = at;
    EXPECT_EQ(run_time_of(attempts), hours(5));
  }
}

TEST(RunTimes, OfAnAttemptThatWasFoundAgainItsStartIsNotKnown) {
  auto attempts = ran_for(hours(1));
  attempts.front().adopted = true;
  EXPECT_EQ(run_time_of(attempts), std::nullopt);
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
