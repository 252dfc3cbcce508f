#include "papers/fairness/simulate.h"

#include <gtest/gtest.h>

#include "papers/fairness/due_policy.h"
#include "papers/fairness/published_policies.h"
#include "papers/fairness/run_times.h"
#include "papers/fairness/testing.h"
#include "papers/service/summary.h"

namespace ym::sim::fairness {
namespace {

TEST(FairnessRounds, AreWaitedForAndEndExactly) {
  const auto jobs = made_up_jobs({{.gpus = 1, .submit_s = 0, .work_s = 130}, {.gpus = 1, .submit_s = 1, .work_s = 10}});
  InOrder policy;
  const auto outcomes = run_all(jobs, policy, {.gpus = 1, .restart_us = 0});
  EXPECT_EQ(outcomes[0].end_us, 130 * kSecond);
  EXPECT_EQ(outcomes[1].first_start_us, 240 * kSecond);  // the GPU stays idle for the rest of the round
  EXPECT_EQ(outcomes[1].end_us, 250 * kSecond);
  EXPECT_EQ(outcomes[0].starts, 1);
}

TEST(FairnessRounds, CostAStartAfterEachBreak) {
  const auto jobs = made_up_jobs({{.gpus = 1, .work_s = 200}});
  InOrder policy;
  EXPECT_EQ(run_all(jobs, policy, {.gpus = 1})[0].end_us, 220 * kSecond);
}

TEST(FairnessRounds, TakeGangsWholeAndPassOverWhatDoesNotFit) {
  const auto jobs = made_up_jobs({{.gpus = 3, .work_s = 100}, {.gpus = 2, .work_s = 100}, {.gpus = 1, .work_s = 100}});
  InOrder policy;
  const auto outcomes = run_all(jobs, policy, {.gpus = 4});
  EXPECT_EQ(outcomes[0].end_us, 120 * kSecond);
  EXPECT_EQ(outcomes[1].end_us, 240 * kSecond);
  EXPECT_EQ(outcomes[2].end_us, 120 * kSecond);
}

TEST(FairnessRounds, EndAllJobsUnderEveryPolicyAlikeEachTime) {
  const auto jobs = service::random_jobs(40, 3);
  const auto makespan_s = [&](Policy& policy, double share) {
    return service::summarise(jobs, run_rounds(jobs, service::declare(jobs, {.share = share, .error_sigma = 0.3}),
                                               policy, {.gpus = 64}))
        .makespan_s;
  };
  for (const PublishedPolicy& policy : published_policies())
    EXPECT_EQ(makespan_s(*policy.make(), 1), makespan_s(*policy.make(), 1)) << policy.name;
  DuePolicy one, other;
  EXPECT_EQ(makespan_s(one, 0.5), makespan_s(other, 0.5));
}

TEST(FairnessRunTimes, AreGuessedFromThoseThatRanLonger) {
  RunTimes times;
  EXPECT_EQ(times.left_us(0, 7), 7);
  EXPECT_EQ(times.left_us(50, 7), 50);
  for (const Micros run_us : {100, 10, 30, 20}) times.end(run_us);
  EXPECT_EQ(times.left_us(0, 7), 40);
  EXPECT_EQ(times.left_us(10, 7), 40);  // 10, 20 and 90
  EXPECT_EQ(times.left_us(20, 7), 20);  // only two ran longer
}

}  // namespace
}  // namespace ym::sim::fairness
