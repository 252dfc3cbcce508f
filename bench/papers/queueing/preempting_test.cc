#include "papers/queueing/preempting.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "papers/queueing/deadline_bound.h"
#include "papers/queueing/worth.h"
#include "papers/service/made_up_jobs.h"

namespace ym::sim::queueing {
namespace {

using service::ends_s;
using service::made_up_jobs;
using ::testing::ElementsAre;

constexpr ClusterShape kOneGpu{.nodes = 1, .gpus_per_node = 1};

Deadlines strict(Micros until_s) {
  return {.kind = JobKind::strict, .steps = {{.until_us = until_s * kSecond, .value = 10}}};
}

TEST(QueueingSrtf, StopsForAJobThatHasLessLeft) {
  const auto jobs = made_up_jobs({{.gpus = 1, .work_s = 100}, {.gpus = 4, .submit_s = 10, .work_s = 50}});
  const auto outcomes = run_srtf(jobs, {.shape = {.nodes = 1, .gpus_per_node = 4}});
  EXPECT_THAT(ends_s(outcomes), ElementsAre(60 + 90 + 7, 60));
  EXPECT_EQ(outcomes[0].moves(), 1);
  EXPECT_EQ(outcomes[1].moves(), 0);
}

TEST(QueueingSrtf, ChoosesByCountAndGivesWhatIsFreeToOthers) {
  const auto jobs = made_up_jobs({{.gpus = 3, .work_s = 100},
                                  {.gpus = 3, .work_s = 100},
                                  {.gpus = 2, .submit_s = 1, .work_s = 10},
                                  {.gpus = 1, .submit_s = 2, .work_s = 500}});
  EXPECT_THAT(ends_s(run_srtf(jobs, {.shape = {.nodes = 2, .gpus_per_node = 4}})), ElementsAre(100, 100, 110, 502));
}

TEST(QueueingSrtf, StopsNoJobInVain) {
  // The second node's job has less left than the gang, so that stopping the first one's would not help.
  const auto jobs = made_up_jobs(
      {{.gpus = 4, .work_s = 1000}, {.gpus = 1, .work_s = 30}, {.gpus = 8, .submit_s = 10, .work_s = 100}});
  const auto outcomes = run_srtf(jobs, {.shape = {.nodes = 2, .gpus_per_node = 4}});
  EXPECT_THAT(ends_s(outcomes), ElementsAre(130 + 970 + 30, 30, 130));
  EXPECT_EQ(outcomes[2].first_start_us, 30 * kSecond);
}

TEST(QueueingTiresias, LetsOthersPassAJobThatHasHadMuchAtWholeRounds) {
  const auto jobs = made_up_jobs({{.work_s = 200}, {.submit_s = 30, .work_s = 50}});
  const auto outcomes = run_tiresias(jobs, {.shape = kOneGpu, .threshold_gpu_s = 60});
  EXPECT_THAT(ends_s(outcomes), ElementsAre(120 + 140 + 40, 110));
  EXPECT_EQ(outcomes[1].first_start_us, 60 * kSecond);
}

TEST(QueueingTiresias, NoticesAFallThatNothingElseTells) {
  const auto jobs = made_up_jobs({{.work_s = 1000}, {.submit_s = 30, .work_s = 50}});
  const auto outcomes = run_tiresias(jobs, {.shape = kOneGpu, .threshold_gpu_s = 300});
  EXPECT_EQ(outcomes[1].first_start_us, 300 * kSecond);
}

TEST(QueueingPreempting, EveryJobEnds) {
  const auto jobs = service::random_jobs(200, 7);
  for (const auto& outcomes : {run_srtf(jobs), run_tiresias(jobs)})
    for (JobNumber i = 0; i < jobs.size(); ++i) {
      EXPECT_LT(outcomes[i].end_us, kNever);
      EXPECT_GE(outcomes[i].end_us, jobs[i].submit_us + jobs[i].work_us);
    }
}

TEST(QueueingWorth, StopsForWhatBringsMoreForItsGpuTime) {
  const auto jobs = made_up_jobs({{.work_s = 100}, {.submit_s = 10, .work_s = 20}});
  const std::vector<Deadlines> deadlines{strict(150), strict(60)};
  EXPECT_THAT(ends_s(run_by_worth(jobs, deadlines, {.shape = kOneGpu})), ElementsAre(30 + 90 + 7, 30));
}

TEST(QueueingWorth, PutsLastAJobThatCanKeepNothing) {
  const auto jobs = made_up_jobs({{.work_s = 100}, {.work_s = 10}, {.work_s = 200}});
  const std::vector<Deadlines> deadlines{strict(150), strict(5), {}};
  EXPECT_THAT(ends_s(run_by_worth(jobs, deadlines, {.shape = kOneGpu})), ElementsAre(100, 310, 300));
}

TEST(QueueingWorth, PutsBestEffortBehindOrAmongTheOthers) {
  const auto jobs = made_up_jobs({{.work_s = 100}, {.work_s = 10}});
  const std::vector<Deadlines> deadlines{strict(1000), {}};
  EXPECT_THAT(ends_s(run_by_worth(jobs, deadlines, {.shape = kOneGpu})), ElementsAre(100, 110));
  EXPECT_THAT(ends_s(run_by_worth(jobs, deadlines, {.shape = kOneGpu, .best_effort = BestEffort::among})),
              ElementsAre(110, 10));
}

TEST(QueueingWorth, CountsTheValueThatCanStillBeHad) {
  const auto jobs = made_up_jobs({{.work_s = 100}, {.work_s = 60}});
  const Deadlines soft{.kind = JobKind::soft,
                       .steps = {{.until_us = 50 * kSecond, .value = 10}, {.until_us = 500 * kSecond, .value = 5}}};
  EXPECT_THAT(ends_s(run_by_worth(jobs, std::vector{strict(500), soft}, {.shape = kOneGpu})), ElementsAre(100, 160));
  EXPECT_EQ(value_at(soft, 50 * kSecond), 10);
  EXPECT_EQ(value_at(soft, 50 * kSecond + 1), 5);
  EXPECT_EQ(value_at(soft, 501 * kSecond), 0);
}

TEST(QueueingDeadlineBound, AddsUpWhatIsTooMuchInStretchesApart) {
  const auto jobs =
      made_up_jobs({{.work_s = 80}, {.work_s = 80}, {.submit_s = 200, .work_s = 80}, {.submit_s = 210, .work_s = 60}});
  const DeadlineBoundOptions options{.gpus = 1, .grid_us = 100 * kSecond};
  EXPECT_EQ(least_missed(jobs, std::vector{strict(100), strict(90), strict(300), strict(300)}, options), 2);
  EXPECT_EQ(least_missed(jobs, std::vector{strict(100), strict(200), strict(300), strict(400)}, options), 0);
  EXPECT_EQ(least_missed(jobs, std::vector{strict(100), Deadlines{}, strict(300), Deadlines{}}, options), 0);
}

TEST(QueueingDeadlineBound, IsBelowWhatAPolicyMisses) {
  auto jobs = service::random_jobs(300, 11);
  for (Job& job : jobs) job.submit_us /= 8;
  std::vector<Deadlines> deadlines;
  for (const Job& job : jobs) deadlines.push_back(strict((job.submit_us + job.work_us * 3 / 2) / kSecond + 1));
  const auto outcomes = run_by_worth(jobs, deadlines);
  Count missed = 0;
  for (JobNumber i = 0; i < jobs.size(); ++i) missed += value_at(deadlines[i], outcomes[i].end_us) == 0;
  const Count least = least_missed(jobs, deadlines, {.gpus = ClusterShape{}.gpus(), .grid_us = 3600 * kSecond});
  EXPECT_GT(least, 0);
  EXPECT_LE(least, missed);
}

}  // namespace
}  // namespace ym::sim::queueing
