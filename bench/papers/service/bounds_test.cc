#include "papers/service/bounds.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "papers/service/made_up_jobs.h"
#include "papers/service/schedulers.h"
#include "papers/service/summary.h"

namespace ym::sim::service {
namespace {

TEST(ServiceBounds, AreAllThreeComputed) {
  const LowerBounds bounds = lower_bounds(made_up_jobs({{.gpus = 2, .work_s = 10}, {.gpus = 1, .work_s = 10}}), 2);
  EXPECT_DOUBLE_EQ(bounds.mean_run_s, 10);
  EXPECT_DOUBLE_EQ(bounds.srpt_s, 10);
  EXPECT_DOUBLE_EQ(bounds.busy_time_s, 11.25);
  EXPECT_DOUBLE_EQ(bounds.mean_completion_s, 11.25);
  EXPECT_DOUBLE_EQ(bounds.makespan_s, 15);
}

TEST(ServiceBounds, HeedSubmissions) {
  const LowerBounds bounds =
      lower_bounds(made_up_jobs({{.gpus = 2, .work_s = 10}, {.gpus = 2, .submit_s = 2, .work_s = 2}}), 2);
  EXPECT_DOUBLE_EQ(bounds.srpt_s, 7);
  EXPECT_DOUBLE_EQ(bounds.busy_time_s, 6.8);
  EXPECT_DOUBLE_EQ(bounds.makespan_s, 12);
}

TEST(ServiceBounds, AreReachedByASingleJobAndZeroOfNone) {
  const LowerBounds bounds = lower_bounds(made_up_jobs({{.gpus = 4, .submit_s = 7, .work_s = 10}}), 4);
  EXPECT_DOUBLE_EQ(bounds.mean_completion_s, 10);
  EXPECT_DOUBLE_EQ(bounds.makespan_s, 17);
  EXPECT_EQ(lower_bounds(std::span<const BoundJob>(), 4).mean_completion_s, 0);
}

TEST(ServiceBounds, DoNotDependOnTheOrderOfJobs) {
  std::vector<Job> jobs = random_jobs(60, 11);
  const LowerBounds bounds = lower_bounds(jobs, 64);
  std::ranges::reverse(jobs);
  EXPECT_EQ(lower_bounds(jobs, 64).mean_completion_s, bounds.mean_completion_s);
  EXPECT_EQ(lower_bounds(jobs, 64).makespan_s, bounds.makespan_s);
}

TEST(ServiceBounds, HoldForEveryScheduler) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const auto jobs = random_jobs(50, seed);
    const LowerBounds bounds = lower_bounds(jobs, 64);
    for (const Scheduler scheduler : {Scheduler::srtf, Scheduler::srsf, Scheduler::tiresias}) {
      const Summary summary = summarise(jobs, run_scheduler(jobs, scheduler, Protocol::clean));
      EXPECT_GE(summary.mean_completion_s, bounds.mean_completion_s);
      EXPECT_GE(summary.makespan_s, bounds.makespan_s);
    }
  }
}

TEST(ServiceSummary, IsOfCompletionsWaitsAndMoves) {
  const auto jobs = made_up_jobs({{.gpus = 1, .work_s = 10}, {.gpus = 4, .submit_s = 5, .work_s = 20}});
  const std::vector<Outcome> outcomes{{.first_start_us = 0, .end_us = 14 * kSecond, .starts = 3},
                                      {.first_start_us = 6 * kSecond, .end_us = 35 * kSecond, .starts = 1}};
  const Summary summary = summarise(jobs, outcomes);
  EXPECT_DOUBLE_EQ(summary.mean_completion_s, 22);
  EXPECT_DOUBLE_EQ(summary.p99_completion_s, 30);
  EXPECT_DOUBLE_EQ(summary.makespan_s, 35);
  EXPECT_DOUBLE_EQ(summary.moves_per_job, 1);
  EXPECT_EQ(summary.most_moves, 2);
  EXPECT_DOUBLE_EQ(summary.mean_first_wait_s, 0.5);
  EXPECT_DOUBLE_EQ(summary.longest_first_wait_s, 1);
  EXPECT_DOUBLE_EQ(summary.longest_wait_s, 10);
  EXPECT_DOUBLE_EQ(summary.p99_wait_s, 10);
  EXPECT_DOUBLE_EQ(summary.largest_mean_wait_s, 10);
}

}  // namespace
}  // namespace ym::sim::service
