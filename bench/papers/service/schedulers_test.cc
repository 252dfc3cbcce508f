#include "papers/service/schedulers.h"

#include <gtest/gtest.h>

#include "papers/service/made_up_jobs.h"

namespace ym::sim::service {
namespace {

TEST(ServiceSchedulers, SrtfGoesByTimeAndSrsfByGpuTimeLeft) {
  const auto jobs = made_up_jobs({{.gpus = 1, .work_s = 100}, {.gpus = 4, .submit_s = 10, .work_s = 50}});
  const ClusterShape shape{.nodes = 1, .gpus_per_node = 4};
  EXPECT_EQ(ends_s(run_scheduler(jobs, Scheduler::srtf, Protocol::clean, shape)), (std::vector<double>{150, 60}));
  EXPECT_EQ(ends_s(run_scheduler(jobs, Scheduler::srsf, Protocol::clean, shape)), (std::vector<double>{100, 150}));
}

TEST(ServiceSchedulers, CleanOverheadIsPaidOnceAStart) {
  const auto jobs = made_up_jobs(
      {{.gpus = 1, .work_s = 100, .overhead_s = 5}, {.gpus = 4, .submit_s = 10, .work_s = 50, .overhead_s = 5}});
  const auto outcomes = run_scheduler(jobs, Scheduler::srtf, Protocol::clean, {.nodes = 1, .gpus_per_node = 4});
  EXPECT_EQ(ends_s(outcomes), (std::vector<double>{165, 65}));
  EXPECT_EQ(outcomes[0].moves(), 1);
  EXPECT_EQ(outcomes[1].first_start_us, 10 * kSecond);
}

TEST(ServiceSchedulers, PublishedOverheadIsPaidAtEachEventAndForeseenAtNone) {
  const auto jobs =
      made_up_jobs({{.work_s = 200, .overhead_s = 5}, {.submit_s = 100, .work_s = 1000, .overhead_s = 5}});
  const auto ends = ends_s(run_scheduler(jobs, Scheduler::srsf, Protocol::published));
  // 203 s of run time and the overhead of one event; 1015 s and that of another.
  EXPECT_NEAR(ends[0], 208, 1e-5);
  EXPECT_NEAR(ends[1], 1120, 1e-5);
}

TEST(ServiceSchedulers, TiresiasLetsNewJobsInWhenAnOldOneFalls) {
  const auto jobs = made_up_jobs({{.work_s = 4000}, {.submit_s = 1000, .work_s = 100}});
  const auto outcomes = run_scheduler(jobs, Scheduler::tiresias, Protocol::clean, {.nodes = 1, .gpus_per_node = 1});
  EXPECT_EQ(ends_s(outcomes), (std::vector<double>{4100, 3350}));
  EXPECT_EQ(outcomes[1].first_start_us, 3250 * kSecond);
}

TEST(ServiceSchedulers, TiresiasCountsGpusAndSrsfAsksForANode) {
  const auto jobs = made_up_jobs(
      {{.gpus = 1, .work_s = 10}, {.gpus = 3, .work_s = 20}, {.gpus = 3, .work_s = 30}, {.gpus = 1, .work_s = 40}});
  const ClusterShape shape{.nodes = 2, .gpus_per_node = 4};
  EXPECT_EQ(ends_s(run_scheduler(jobs, Scheduler::tiresias, Protocol::clean, shape)),
            (std::vector<double>{10, 20, 30, 40}));
  const auto two = made_up_jobs({{.gpus = 3, .work_s = 10}, {.gpus = 3, .work_s = 11}, {.gpus = 2, .work_s = 90}});
  EXPECT_EQ(ends_s(run_scheduler(two, Scheduler::tiresias, Protocol::clean, shape)), (std::vector<double>{10, 11, 90}));
  EXPECT_EQ(ends_s(run_scheduler(two, Scheduler::srsf, Protocol::clean, shape)), (std::vector<double>{10, 11, 100}));
}

TEST(ServiceSchedulers, EveryJobEndsUnderBothProtocols) {
  const auto jobs = random_jobs(80, 3);
  for (const Scheduler scheduler : {Scheduler::srtf, Scheduler::srsf, Scheduler::tiresias}) {
    for (const Protocol protocol : {Protocol::published, Protocol::clean}) {
      const auto outcomes = run_scheduler(jobs, scheduler, protocol);
      for (JobNumber i = 0; i < jobs.size(); ++i) {
        EXPECT_GE(outcomes[i].starts, 1);
        EXPECT_GE(outcomes[i].end_us, jobs[i].submit_us + jobs[i].work_us) << published_name(scheduler) << i;
        EXPECT_LT(outcomes[i].end_us, kNever);
      }
    }
  }
}

}  // namespace
}  // namespace ym::sim::service
