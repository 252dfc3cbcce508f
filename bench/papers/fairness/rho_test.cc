#include "papers/fairness/rho.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "papers/fairness/due_policy.h"
#include "papers/fairness/published_policies.h"
#include "papers/fairness/rank_correlation.h"
#include "papers/fairness/testing.h"

namespace ym::sim::fairness {
namespace {

TEST(FairnessRho, IsReckonedWithAllJobsOfTheTraceOrThosePresent) {
  const auto jobs = made_up_jobs({{.work_s = 100}, {.work_s = 100}, {.submit_s = 500, .work_s = 100}});
  const std::vector<Outcome> outcomes{{.end_us = 100 * kSecond}, {.end_us = 200 * kSecond}, {.end_us = 600 * kSecond}};
  const Rhos by_trace = rhos_by_trace(jobs, outcomes, 1);
  EXPECT_DOUBLE_EQ(by_trace.worst, 200.0 / 300);
  EXPECT_EQ(by_trace.unfair_share, 0);
  const Rhos by_presence = rhos_by_presence(jobs, outcomes, 1);
  EXPECT_DOUBLE_EQ(by_presence.worst, 200.0 / 150);  // two for the first half of its time, then it alone
  EXPECT_DOUBLE_EQ(by_presence.unfair_share, 1.0 / 3);
  EXPECT_EQ(rhos_by_trace({}, {}, 1).worst, 0);
}

TEST(FairnessRho, HasABoundThatIsMetWhereItCanBe) {
  const auto jobs = made_up_jobs({{.work_s = 120}, {.work_s = 120}, {.work_s = 240}});
  EXPECT_NEAR(least_worst_rho(jobs, 1), 480.0 / 720, 0.002);  // all at once: the longest last
  EXPECT_NEAR(least_worst_rho(made_up_jobs({{.work_s = 7}}), 4), 1, 0.002);
}

TEST(FairnessRho, IsNeverBelowItsBound) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const auto jobs = service::random_jobs(40, seed);
    const double bound = least_worst_rho(jobs, 64);
    for (const PublishedPolicy& policy : published_policies())
      EXPECT_GE(rhos_by_trace(jobs, run_all(jobs, *policy.make(), {.gpus = 64}), 64).worst, bound);
    DuePolicy ours;
    EXPECT_GE(rhos_by_trace(jobs, run_all(jobs, ours, {.gpus = 64}), 64).worst, bound);
  }
}

TEST(FairnessRankCorrelation, CountsPairs) {
  const std::array<double, 4> up{1, 2, 3, 4}, down{9, 8, 7, 6}, swapped{1, 3, 2, 4}, tied{1, 1, 2, 2}, same{5, 5, 5, 5};
  EXPECT_DOUBLE_EQ(kendall_tau(up, up), 1);
  EXPECT_DOUBLE_EQ(kendall_tau(up, down), -1);
  EXPECT_DOUBLE_EQ(kendall_tau(up, swapped), 4.0 / 6);
  EXPECT_DOUBLE_EQ(kendall_tau(tied, tied), 1);
  EXPECT_NEAR(kendall_tau(up, tied), 4 / std::sqrt(6.0 * 4), 1e-12);
  EXPECT_EQ(kendall_tau(up, same), 0);
}

}  // namespace
}  // namespace ym::sim::fairness
