#include "sim/simulate/summary.h"

#include <gtest/gtest.h>

namespace ym::sim {
namespace {

TEST(Summary, QuantilesAreThoseOfTheLiterature) {
  Distribution values;
  EXPECT_EQ(values.quantile(0.5), 0);
  for (std::int64_t i = 100; i >= 1; --i) values.add(i);
  EXPECT_EQ(values.quantile(0.99), 100) << "sorted[int(0.99 n)]";
  EXPECT_EQ(values.quantile(0.5), 51);
  EXPECT_EQ(values.quantile(1), 100);
  EXPECT_EQ(values.mean(), 50.5);
}

TEST(Summary, CountsByQueueAndBySize) {
  Summary summary;
  JobRecord record{.queue = "a",
                   .gpu_milli = 500,
                   .submitted_at = {0},
                   .started_at = Instant{5},
                   .ended_at = {9},
                   .state = JobState::succeeded};
  summary.add(record);
  record.gpu_milli = 5000;
  record.deadline = Instant{8};
  summary.add(record);
  EXPECT_EQ(summary.all.jobs, 2);
  EXPECT_EQ(summary.all.late, 1);
  EXPECT_EQ(summary.all.with_deadline, 1);
  EXPECT_EQ(summary.by_queue.at("a").jobs, 2);
  EXPECT_EQ(summary.by_gpus.at(1).jobs, 1) << "a share counts as one";
  EXPECT_EQ(summary.by_gpus.at(8).jobs, 1);
  EXPECT_EQ(summary.all.waits.mean(), 5);
  EXPECT_EQ(summary.by_priority.at(0).jobs, 2);
}

TEST(Fairness, IsOneWhereAllAreAlike) {
  const auto record = [](const std::string& user, std::int64_t wait_s) {
    return JobRecord{.user = user,
                     .run_time = seconds(100),
                     .submitted_at = {0},
                     .started_at = Instant{wait_s * 1000},
                     .ended_at = {(wait_s + 100) * 1000}};
  };
  Fairness fairness;
  EXPECT_EQ(fairness.index(), 1) << "without users";
  fairness.add(record("a", 100));
  fairness.add(record("b", 50));
  fairness.add(record("b", 150));
  EXPECT_EQ(fairness.index(), 1) << "two for both, in the mean";
  fairness.add(record("c", 500));
  EXPECT_DOUBLE_EQ(fairness.index(), 100.0 / (3 * (4 + 4 + 36)));
  EXPECT_EQ(fairness.slowdowns_milli().quantile(1), 6000);
  JobRecord never;
  fairness.add(never);
  EXPECT_EQ(fairness.slowdowns_milli().count(), 4) << "who never began has none";
}

TEST(Fairness, OfShortJobsCountsFromTenSeconds) {
  Fairness fairness;
  fairness.add({.user = "a", .run_time = seconds(1), .started_at = Instant{0}, .ended_at = {4'000}});
  EXPECT_EQ(fairness.slowdowns_milli().quantile(1), 1000);
}

TEST(Fairness, OfAJobThatIsCutShortCountsWhatItRan) {
  Fairness fairness;
  fairness.add({.user = "a", .run_time = seconds(6000), .started_at = Instant{900'000}, .ended_at = {960'000}});
  EXPECT_EQ(fairness.slowdowns_milli().quantile(1), 16'000);
}

}  // namespace
}  // namespace ym::sim
