#include "papers/fairness/published_policies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "papers/fairness/fractions.h"
#include "papers/fairness/testing.h"

namespace ym::sim::fairness {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;

Present job_of(JobNumber job, Count gpus, Micros left_s) {
  return {.job = job, .gpus = gpus, .left_us = left_s * kSecond, .steps_per_s = 1};
}

// Who runs in each of so many rounds on `gpus`, of those that never end.
std::vector<Count> rounds_received(Policy& policy, std::vector<Present> jobs, Count gpus, int rounds) {
  std::vector<Count> received(jobs.size(), 0);
  for (int i = 0; i < rounds; ++i) {
    const Order order = policy.order(round_of(jobs, gpus, 120 * i));
    Count free = gpus;
    for (Present& job : jobs) job.ran_before = false;
    for (const std::size_t place : order) {
      if (jobs[place].gpus > free) continue;
      free -= jobs[place].gpus;
      ++received[place];
      jobs[place].ran_before = true;
      jobs[place].done_us += 120 * kSecond;
    }
  }
  return received;
}

TEST(FairnessFractions, AreLevelledUpToAllOfTheTime) {
  const std::vector jobs{job_of(0, 1, 10), job_of(1, 1, 10), job_of(2, 4, 10)};
  EXPECT_THAT(level(round_of(jobs, 4), {1, 1, 1}), ElementsAre(DoubleEq(1), DoubleEq(1), DoubleEq(0.5)));
  EXPECT_THAT(level(round_of(jobs, 3), {1, 1, 4}), ElementsAre(DoubleEq(0.5), DoubleEq(0.5), DoubleEq(0.5)));
  EXPECT_THAT(level(round_of(jobs, 6), {1, 1, 1}), ElementsAre(DoubleEq(1), DoubleEq(1), DoubleEq(1)));
}

TEST(FairnessPolicies, MaxMinGivesEqualGpuTime) {
  const auto policy = max_min();
  const auto received = rounds_received(*policy, {job_of(0, 1, 900), job_of(1, 1, 90), job_of(2, 2, 900)}, 2, 40);
  EXPECT_NEAR(static_cast<double>(received[0]), 2.0 * static_cast<double>(received[2]), 2);
  EXPECT_NEAR(static_cast<double>(received[0]), static_cast<double>(received[1]), 1);
}

TEST(FairnessPolicies, GandivaFairGivesEqualTime) {
  const auto policy = gandiva_fair();
  const auto received = rounds_received(*policy, {job_of(0, 1, 900), job_of(1, 1, 90), job_of(2, 2, 900)}, 2, 40);
  EXPECT_NEAR(static_cast<double>(received[0]), static_cast<double>(received[2]), 1);
}

TEST(FairnessPolicies, OsspRunsInProportionToWhatIsLeft) {
  const auto policy = ossp();
  const auto received = rounds_received(*policy, {job_of(0, 1, 3000), job_of(1, 1, 1000)}, 1, 40);
  EXPECT_NEAR(static_cast<double>(received[0]), 30, 1);
}

TEST(FairnessPolicies, ThemisFavoursJobsThatWaitedLong) {
  std::vector jobs{job_of(0, 1, 3600), job_of(1, 1, 3600)};
  jobs[1].submit_us = 3000 * kSecond;
  const auto policy = themis();
  EXPECT_EQ(policy->order(round_of(jobs, 1, 3000)).front(), 0U);
}

TEST(FairnessPolicies, MstRunsMostStepsPerGpu) {
  std::vector jobs{job_of(0, 1, 10), job_of(1, 2, 10), job_of(2, 1, 10)};
  jobs[1].steps_per_s = 9;
  jobs[2].steps_per_s = 4;
  const auto policy = most_throughput();
  EXPECT_THAT(rounds_received(*policy, jobs, 2, 5), ElementsAre(0, 5, 0));
}

TEST(FairnessPolicies, AlloxRunsTheShortestAndDoesNotStopIt) {
  const auto policy = allox();
  std::vector jobs{job_of(0, 1, 500), job_of(1, 1, 50)};
  EXPECT_THAT(rounds_received(*policy, jobs, 1, 5), ElementsAre(0, 5));
  jobs.push_back(job_of(2, 1, 5));
  EXPECT_EQ(policy->order(round_of(jobs, 1, 5000)).front(), 1U);
}

TEST(FairnessPolicies, ShockwaveKeepsTheLongestRunning) {
  const std::vector jobs{job_of(0, 1, 600), job_of(1, 1, 600), job_of(2, 1, 90'000)};
  EXPECT_EQ(shockwave({.makespan_weight = 1})->order(round_of(jobs, 1)).front(), 2U);
  EXPECT_NE(shockwave({.makespan_weight = 0})->order(round_of(jobs, 1)).front(), 2U);
}

}  // namespace
}  // namespace ym::sim::fairness
