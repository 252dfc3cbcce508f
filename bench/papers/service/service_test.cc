// Our policy on small lists of jobs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "papers/service/bounds.h"
#include "papers/service/made_up_jobs.h"
#include "papers/service/named_policies.h"
#include "papers/service/summary.h"

namespace ym::sim::service {
namespace {

constexpr ClusterShape kFourGpus{.nodes = 1, .gpus_per_node = 4};

TEST(Service, AJobAloneEndsAfterItsOverheadAndWork) {
  const auto jobs = made_up_jobs({{.gpus = 4, .submit_s = 7, .work_s = 100, .overhead_s = 5}});
  for (const NamedPolicy& policy : named_policies()) {
    const auto outcomes = run_service(jobs, declare(jobs, policy.declare), policy.options);
    EXPECT_EQ(outcomes[0].end_us, 112 * kSecond) << policy.name;
    EXPECT_EQ(outcomes[0].first_start_us, 7 * kSecond);
    EXPECT_EQ(outcomes[0].moves(), 0);
  }
}

TEST(Service, AGangTakesThePlaceOfOneThatIsWorthLess) {
  const auto jobs = made_up_jobs(
      {{.gpus = 1, .work_s = 100, .overhead_s = 1}, {.gpus = 4, .submit_s = 11, .work_s = 50, .overhead_s = 1}});
  const auto outcomes = run_service(jobs, declare(jobs), {.shape = kFourGpus});
  EXPECT_EQ(outcomes[1].end_us, 62 * kSecond);
  EXPECT_EQ(outcomes[0].end_us, (62 + 1 + 90) * kSecond);
  EXPECT_EQ(outcomes[0].moves(), 1);
}

TEST(Service, AnEqualStopsNoJob) {
  const auto jobs =
      made_up_jobs({{.gpus = 4, .work_s = 100, .overhead_s = 1}, {.gpus = 4, .work_s = 100, .overhead_s = 1}});
  for (const NamedPolicy& policy : named_policies()) {
    if (policy.declare.share < 1 || policy.declare.error_sigma > 0 || policy.options.measure_us > 0) continue;
    const auto outcomes = run_service(jobs, declare(jobs, policy.declare), {.shape = kFourGpus});
    EXPECT_EQ(outcomes[0].moves() + outcomes[1].moves(), 0);
    EXPECT_EQ(outcomes[1].end_us, 202 * kSecond);
  }
}

TEST(Service, WithoutDeclarationsAShortJobNeedNotWaitForALongOne) {
  const auto jobs = made_up_jobs(
      {{.gpus = 4, .work_s = 10'000, .overhead_s = 1}, {.gpus = 4, .submit_s = 1000, .work_s = 5, .overhead_s = 1}});
  const auto outcomes = run_service(jobs, declare(jobs, {.share = 0}), {.shape = kFourGpus});
  EXPECT_EQ(outcomes[1].end_us, 1006 * kSecond);
  EXPECT_EQ(outcomes[0].end_us, 10'008 * kSecond);
}

TEST(Service, HysteresisSavesMoves) {
  std::vector<MadeUpJob> wanted(10, {.gpus = 4, .work_s = 2000, .overhead_s = 5});
  const auto jobs = made_up_jobs(wanted);
  const auto moves = [&](double hysteresis) {
    const auto outcomes =
        run_service(jobs, declare(jobs, {.share = 0}), {.shape = kFourGpus, .hysteresis = hysteresis});
    return summarise(jobs, outcomes).moves_per_job;
  };
  EXPECT_LT(moves(4), moves(1));
}

TEST(Service, AJobThatOutlivesItsDeclarationEndsAllTheSame) {
  const auto jobs =
      made_up_jobs({{.gpus = 4, .work_s = 1000, .overhead_s = 1}, {.gpus = 4, .work_s = 100, .overhead_s = 1}});
  const std::vector<DeclaredUs> declared{1e6, 50e6};
  const auto outcomes = run_service(jobs, declared, {.shape = kFourGpus});
  EXPECT_LT(outcomes[1].end_us, 300 * kSecond);
  EXPECT_LT(outcomes[0].end_us, 1200 * kSecond);
}

TEST(Service, KeepsToTheBoundsAndEndsEveryJobUnderEveryPolicy) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const auto jobs = random_jobs(60, seed);
    const LowerBounds bounds = lower_bounds(jobs, ClusterShape{}.gpus());
    for (const NamedPolicy& policy : named_policies()) {
      const auto outcomes = run_service(jobs, declare(jobs, policy.declare), policy.options);
      const Summary summary = summarise(jobs, outcomes);
      EXPECT_GE(summary.mean_completion_s, bounds.mean_completion_s) << policy.name;
      EXPECT_GE(summary.makespan_s, bounds.makespan_s) << policy.name;
      for (JobNumber i = 0; i < jobs.size(); ++i) {
        const Micros costs_us = outcomes[i].starts * jobs[i].overhead_us;
        // A start may be cut short, but never the last.
        EXPECT_GE(outcomes[i].end_us, jobs[i].submit_us + jobs[i].work_us + std::min(costs_us, jobs[i].overhead_us));
      }
    }
  }
}

TEST(Service, IsTheSameAgain) {
  const auto jobs = random_jobs(60, 9);
  for (const NamedPolicy& policy : named_policies()) {
    const Summary once = summarise(jobs, run_service(jobs, declare(jobs, policy.declare), policy.options));
    const Summary again = summarise(jobs, run_service(jobs, declare(jobs, policy.declare), policy.options));
    EXPECT_EQ(once.mean_completion_s, again.mean_completion_s);
    EXPECT_EQ(once.moves_per_job, again.moves_per_job);
  }
}

TEST(ServiceDeclarations, AreDrawnById) {
  const auto jobs = random_jobs(1000, 1);
  const auto half = declare(jobs, {.share = 0.5});
  const auto all = declare(jobs);
  const auto wrong = declare(jobs, {.error_sigma = 1});
  EXPECT_NEAR(static_cast<double>(std::ranges::count(half, DeclaredUs())), 500, 60);
  EXPECT_EQ(std::ranges::count(declare(jobs, {.share = 0}), DeclaredUs()), 1000);
  int too_long = 0;
  for (JobNumber i = 0; i < jobs.size(); ++i) {
    EXPECT_EQ(*all[i], static_cast<double>(jobs[i].work_us));
    EXPECT_EQ(half[i].value_or(*all[i]), *all[i]);
    too_long += *wrong[i] > *all[i];
  }
  EXPECT_NEAR(too_long, 500, 60);
}

}  // namespace
}  // namespace ym::sim::service
