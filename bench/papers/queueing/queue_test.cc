#include "papers/queueing/queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "papers/queueing/engine_run.h"
#include "papers/queueing/figures.h"
#include "papers/service/made_up_jobs.h"

namespace ym::sim::queueing {
namespace {

using service::ends_s;
using service::made_up_jobs;
using ::testing::ElementsAre;

constexpr ClusterShape kFourGpus{.nodes = 1, .gpus_per_node = 4};

// The second finds no room while the first runs, and the others would.
std::vector<Job> blocked_jobs() {
  return made_up_jobs({{.gpus = 3, .work_s = 100},
                       {.gpus = 4, .submit_s = 1, .work_s = 10},
                       {.gpus = 1, .submit_s = 2, .work_s = 50},
                       {.gpus = 1, .submit_s = 3, .work_s = 200}});
}

std::vector<double> fifo_ends(Scan scan) {
  const auto jobs = blocked_jobs();
  return ends_s(run_queue(jobs, by_submission(jobs), {.shape = kFourGpus, .scan = scan}));
}

TEST(QueueingScan, StrictBlocksTheJobsBehind) { EXPECT_THAT(fifo_ends(Scan::strict), ElementsAre(100, 110, 160, 310)); }

TEST(QueueingScan, SkippingLetsPassAJobThatFits) {
  EXPECT_THAT(fifo_ends(Scan::skipping), ElementsAre(100, 262, 52, 252));
}

TEST(QueueingScan, BackfillingLetsPassAJobThatIsGoneInTime) {
  EXPECT_THAT(fifo_ends(Scan::backfilling), ElementsAre(100, 110, 52, 310));
}

TEST(QueueingScan, BackfillingLetsPassAJobThatLeavesRoomEnough) {
  // The second node is free by then whatever the last one does on the first.
  const auto jobs = made_up_jobs({{.gpus = 2, .work_s = 100},
                                  {.gpus = 3, .work_s = 50},
                                  {.gpus = 4, .submit_s = 1, .work_s = 10},
                                  {.gpus = 2, .submit_s = 2, .work_s = 500}});
  const auto outcomes =
      run_queue(jobs, by_submission(jobs), {.shape = {.nodes = 2, .gpus_per_node = 4}, .scan = Scan::backfilling});
  EXPECT_THAT(ends_s(outcomes), ElementsAre(100, 50, 60, 502));
}

TEST(QueueingEngine, PassesAsSkippingAndWithLimitsAsBackfilling) {
  const auto jobs = blocked_jobs();
  const auto unknown = run_engine(jobs, {}, {.shape = kFourGpus});
  ASSERT_TRUE(unknown) << unknown.error().message;
  EXPECT_EQ(ends_s(*unknown), fifo_ends(Scan::skipping));
  const auto declared = run_engine(jobs, {}, {.shape = kFourGpus, .declared = Declared::run_time});
  ASSERT_TRUE(declared) << declared.error().message;
  EXPECT_EQ(ends_s(*declared), fifo_ends(Scan::backfilling));
  EXPECT_EQ((*declared)[2].first_start_us, 2 * kSecond);
}

TEST(QueueingEngine, KnowsShortestFirstAndDeadlines) {
  const auto jobs = made_up_jobs(
      {{.gpus = 4, .work_s = 10}, {.gpus = 4, .submit_s = 1, .work_s = 30}, {.gpus = 4, .submit_s = 2, .work_s = 5}});
  const EngineOptions shortest{.shape = kFourGpus, .order = JobOrder::shortest_first, .declared = Declared::run_time};
  EXPECT_THAT(ends_s(*run_engine(jobs, {}, shortest)), ElementsAre(10, 45, 15));
  const std::vector<Deadlines> deadlines{
      {}, {JobKind::strict, {{41 * kSecond, 1}}}, {JobKind::strict, {{60 * kSecond, 1}}}};
  const EngineOptions earliest{.shape = kFourGpus, .order = JobOrder::deadline, .declared = Declared::run_time};
  EXPECT_THAT(ends_s(*run_engine(jobs, deadlines, earliest)), ElementsAre(10, 40, 45));
}

TEST(QueueingEngine, SaysWhatDidNotEnd) {
  const auto jobs = made_up_jobs({{.gpus = 64, .work_s = 10}});
  const auto outcomes = run_engine(jobs, {}, {.shape = kFourGpus});
  ASSERT_FALSE(outcomes);
  EXPECT_THAT(outcomes.error().message, ::testing::HasSubstr("job 0 did not end"));
}

TEST(QueueingTurns, ShortestGoesFirst) {
  const auto jobs = made_up_jobs(
      {{.gpus = 4, .work_s = 10}, {.gpus = 4, .submit_s = 1, .work_s = 30}, {.gpus = 4, .submit_s = 2, .work_s = 5}});
  EXPECT_THAT(ends_s(run_queue(jobs, by_run_time(jobs), {.shape = kFourGpus})), ElementsAre(10, 45, 15));
}

TEST(QueueingTurns, AdmissionPutsBehindAJobThatCannotMakeIt) {
  const auto jobs = made_up_jobs({{.work_s = 100}, {.work_s = 50}, {.work_s = 20}});
  std::vector<Deadlines> deadlines;
  for (const Micros until_s : {100, 140, 160})
    deadlines.push_back({.kind = JobKind::strict, .steps = {{.until_us = until_s * kSecond, .value = 1}}});
  const QueueOptions one_gpu{.shape = {.nodes = 1, .gpus_per_node = 1}};
  EXPECT_THAT(ends_s(run_queue(jobs, by_deadline(jobs, deadlines), one_gpu)), ElementsAre(100, 150, 170));
  EXPECT_THAT(ends_s(run_queue(jobs, by_reachable_deadline(jobs, deadlines), one_gpu)), ElementsAre(100, 170, 120));
  EXPECT_EQ(by_last_start(jobs, deadlines)[1].front().key, 90 * kSecond);
}

TEST(QueueingTurns, SoftOnesGoByTheNextStepTheyCanMake) {
  const auto jobs = made_up_jobs({{.work_s = 100}, {.work_s = 50}});
  const std::vector<Deadlines> deadlines{
      {JobKind::best_effort, {}},
      {JobKind::soft, {{.until_us = 40 * kSecond, .value = 3}, {.until_us = 90 * kSecond, .value = 1}}}};
  const Turns turns = by_reachable_deadline(jobs, deadlines);
  ASSERT_EQ(turns[1].size(), 2U) << "the first can be made by nobody";
  EXPECT_EQ(turns[1][0].key, 90 * kSecond);
  EXPECT_EQ(turns[1][0].until_us, 40 * kSecond);
  EXPECT_LT(turns[1][0].key, turns[0][0].key);
  EXPECT_EQ(turns[1][1].until_us, kNever);
}

// At each start so many GPUs are in use at most as there are.
void expect_within(const std::vector<Job>& jobs, const std::vector<Outcome>& outcomes, Count gpus) {
  std::map<Micros, Count> changes;
  for (JobNumber i = 0; i < jobs.size(); ++i) {
    EXPECT_EQ(outcomes[i].end_us - outcomes[i].first_start_us, jobs[i].work_us);
    EXPECT_GE(outcomes[i].first_start_us, jobs[i].submit_us);
    changes[outcomes[i].first_start_us] += jobs[i].gpus;
    changes[outcomes[i].end_us] -= jobs[i].gpus;
  }
  Count used = 0;
  for (const auto& [at_us, change] : changes) EXPECT_LE(used += change, gpus);
}

TEST(QueueingScan, EveryJobRunsOnceWithinTheCluster) {
  const auto jobs = service::random_jobs(200, 5);
  const ClusterShape shape{};
  for (const Scan scan : {Scan::strict, Scan::skipping, Scan::backfilling}) {
    expect_within(jobs, run_queue(jobs, by_submission(jobs), {.shape = shape, .scan = scan}), shape.gpus());
    expect_within(jobs, run_queue(jobs, by_run_time(jobs), {.shape = shape, .scan = scan}), shape.gpus());
  }
}

TEST(QueueingFigures, AreOfTheJobsOfASize) {
  const auto jobs = made_up_jobs({{.gpus = 1, .work_s = 10}, {.gpus = 16, .submit_s = 5, .work_s = 20}});
  const std::vector<Outcome> outcomes{{.first_start_us = 0, .end_us = 12 * kSecond, .starts = 2},
                                      {.first_start_us = 12 * kSecond, .end_us = 32 * kSecond, .starts = 1}};
  const Figures all = figures_of(jobs, outcomes), large = figures_of(jobs, outcomes, {.least = 16});
  EXPECT_EQ(all.jobs, 2);
  EXPECT_EQ(all.mean_completion_s, (12 + 27) / 2.0);
  EXPECT_EQ(all.mean_queueing_s, (2 + 7) / 2.0);
  EXPECT_EQ(all.stops_per_job, 0.5);
  EXPECT_EQ(large.jobs, 1);
  EXPECT_EQ(large.p999_queueing_s, 7);
  EXPECT_EQ(figures_of(jobs, outcomes, {.least = 2, .most = 8}).jobs, 0);
}

}  // namespace
}  // namespace ym::sim::queueing
