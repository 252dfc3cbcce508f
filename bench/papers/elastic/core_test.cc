// The core of the elastic policy up to sizes: remainders, weights, values, knapsack.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"
#include "papers/elastic/elastic_sizes.h"
#include "papers/elastic/size_choice.h"

namespace ym::sim::elastic {
namespace {

using ::testing::ElementsAre;

// Two epochs of progress 100; sizes 1, 2, 4, 8 go at 1, 1.8, 3, 4 in a second, in the second epoch at half of it.
SizeTable small_table() {
  std::vector<std::vector<double>> rate(9);
  rate[1] = {1, 0.5};
  rate[2] = {1.8, 0.9};
  rate[4] = {3, 1.5};
  rate[8] = {4, 2};
  const std::vector<double> progress_at{0, 100, 200};
  return size_table({1, 2, 4, 8}, progress_at, std::move(rate));
}

TEST(SizeTable, CountsWorkAtTheSizeThatNeedsLeast) {
  const SizeTable table = small_table();
  EXPECT_THAT(table.work_from, ElementsAre(300, 200, 0));
  EXPECT_THAT(table.work_per_progress, ElementsAre(1, 2));
  EXPECT_THAT(table.tail_s[8], ElementsAre(75, 50, 0));
  EXPECT_TRUE(table.rate[3].empty());
}

TEST(SizeTable, OffersWholeNodesAboveALimit) {
  EXPECT_THAT(offered_sizes(18, 6, 4), ElementsAre(1, 2, 3, 4, 5, 6, 8, 12, 16));
  EXPECT_THAT(offered_sizes(1, 16, 4), ElementsAre(1));
}

TEST(Remaining, IsKnownFromTheTable) {
  const SizeTable table = small_table();
  const Remaining left = remaining_of(table, {.epoch = 0, .progress = 40}, {});
  EXPECT_DOUBLE_EQ(left.work_gpu_s, 260);
  EXPECT_DOUBLE_EQ(left.least_s, 15 + 50);
}

TEST(Remaining, IsGuessedFromWhatWasDone) {
  const SizeTable table = small_table();
  const EstimateOptions options{.knowledge = Knowledge::unknown, .unseen_gpu_s = 50, .per_done = 2};
  const Remaining left = remaining_of(table, {.epoch = 1, .progress = 110}, options);
  EXPECT_DOUBLE_EQ(left.work_gpu_s, 50 + 2 * 120);
  EXPECT_DOUBLE_EQ(left.least_s, 290.0 / 4);  // 4 GPU s of work in a second at the best size
}

TEST(Remaining, IsTakenFromOthersOnceSomeEnded) {
  const SizeTable table = small_table();
  const EstimateOptions options{.knowledge = Knowledge::typical};
  EXPECT_DOUBLE_EQ(remaining_of(table, {.epoch = 0, .progress = 20}, options).work_gpu_s, 3020);
  EXPECT_DOUBLE_EQ(remaining_of(table, {.epoch = 0, .progress = 20}, options, 95).work_gpu_s, 75);
  EXPECT_DOUBLE_EQ(remaining_of(table, {.epoch = 0, .progress = 20}, options, 25).work_gpu_s, 60);
}

TEST(Weights, CountTheJobsBehind) {
  const std::vector<Remaining> jobs{
      {.work_gpu_s = 100, .least_s = 50}, {.work_gpu_s = 400, .least_s = 100}, {.work_gpu_s = 100, .least_s = 25}};
  EXPECT_THAT(weights(jobs, {.gpus = 4, .rank_sharpness = 0}), ElementsAre(0.5 + 2.0 / 4, 0.25, 0.25 + 1.0 / 4));
}

TEST(Weights, OfUncertainRanksAreBetween) {
  const std::vector<Remaining> jobs{{.work_gpu_s = 100, .least_s = 0}, {.work_gpu_s = 300, .least_s = 0}};
  const auto found = weights(jobs, {.gpus = 1, .rank_sharpness = 1});
  EXPECT_DOUBLE_EQ(found[0], 0.75);
  EXPECT_DOUBLE_EQ(found[1], 0.25);
}

class Values : public ::testing::Test {
 protected:
  SizeTable table_ = small_table();
  ElasticJob job_{.table = &table_, .gpus = 2, .most_gpus = 8, .remaining = {.work_gpu_s = 300}, .weight = 1};
  ValueOptions options_{.horizon_s = 60, .pause_s = 30, .round_s = 60};
};

TEST_F(Values, AreWorkPerSecondWithThePauseOfAChange) {
  EXPECT_DOUBLE_EQ(value_of_size(job_, 2, options_), (100 + 2 * 0.9 * (60 - 100 / 1.8)) / 60);
  EXPECT_DOUBLE_EQ(value_of_size(job_, 4, options_), 3.0 * 30 / 60);
  job_.pause_left_s = 20;
  EXPECT_DOUBLE_EQ(value_of_size(job_, 2, options_), 1.8 * 40 / 60);
}

TEST_F(Values, CountOnlyTheTimeUntilItEnds) {
  job_.position = {.epoch = 1, .progress = 190};
  EXPECT_DOUBLE_EQ(value_of_size(job_, 2, options_), 20 / (10 / 0.9));
  EXPECT_DOUBLE_EQ(value_of_size(job_, 8, options_), 20 / (30 + 5.0));
}

TEST_F(Values, OfThePresentEpochOnlyDoNotLookAhead) {
  options_.foresight = Foresight::present_epoch;
  EXPECT_DOUBLE_EQ(value_of_size(job_, 2, options_), 1.8);
}

TEST_F(Values, OfSizesFarAwayAreThoseOfTheWayThere) {
  job_.gpus = 1;
  job_.most_gpus = 2;
  options_.horizon_s = 150;
  // 30 s at 2 and 30 s at 4, in which the first epoch ends; what is left of the horizon is the pause before 8.
  // at 8.
  const double at_2 = 30 * 1.8, first_epoch_s = (100 - at_2) / 3;
  const double at_4 = (100 - at_2) + 2 * 1.5 * (30 - first_epoch_s);
  EXPECT_DOUBLE_EQ(value_by_doubling(job_, 8, options_), (at_2 + at_4) / 150);
}

TEST(ChooseSizes, IsTheBestOfAll) {
  Random random(7);
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<std::vector<SizeOption>> jobs(3);
    for (auto& options : jobs)
      for (Count gpus = 1; gpus <= 5; ++gpus)
        options.push_back({.gpus = gpus, .value = static_cast<double>(random.below(1000))});
    double best = 0;
    for (Count a = 0; a <= 5; ++a)
      for (Count b = 0; b <= 5; ++b)
        for (Count c = 0; c <= 5 && a + b + c <= 7; ++c)
          best = std::max(best, (a > 0 ? jobs[0][a - 1].value : 0) + (b > 0 ? jobs[1][b - 1].value : 0) +
                                    (c > 0 ? jobs[2][c - 1].value : 0));
    const auto sizes = choose_sizes(jobs, 7);
    double value = 0;
    for (std::size_t i = 0; i < 3; ++i) value += sizes[i] > 0 ? jobs[i][sizes[i] - 1].value : 0;
    EXPECT_EQ(value, best);
    EXPECT_LE(sizes[0] + sizes[1] + sizes[2], 7U);
  }
}

TEST(ChooseSizes, PrefersTheFirstOfEqualOptions) {
  const std::vector<std::vector<SizeOption>> jobs{{{1, 5}, {2, 5}}, {{1, 5}, {3, 5}}};
  EXPECT_THAT(choose_sizes(jobs, 8), ElementsAre(1, 1));
}

TEST(ElasticSizes, SharesGpusByWeight) {
  const SizeTable table = small_table();
  ElasticJob job{.table = &table, .most_gpus = 8, .weight = 1};
  ElasticJob heavy = job;
  heavy.weight = 10;
  EXPECT_THAT(elastic_sizes(std::vector{job, heavy}, {.gpus = 8}), ElementsAre(0, 8));
  EXPECT_THAT(elastic_sizes(std::vector{job, job}, {.gpus = 8}), ElementsAre(4, 4));
}

TEST(ElasticSizes, TakesTheStepTowardsASizeOutOfReach) {
  SizeTable table = small_table();
  table.rate[2] = table.rate[1];  // nothing is won by two GPUs, but much by eight
  const ElasticJob job{.table = &table, .gpus = 1, .most_gpus = 2, .remaining = {.work_gpu_s = 1e6}, .weight = 1};
  const ValueOptions value{.horizon_s = 400, .foresight = Foresight::present_epoch};
  EXPECT_THAT(elastic_sizes(std::vector{job}, {.gpus = 8, .growth = Growth::free, .value = value}), ElementsAre(1));
  EXPECT_THAT(elastic_sizes(std::vector{job}, {.gpus = 8, .growth = Growth::doubling, .value = value}), ElementsAre(2));
}

}  // namespace
}  // namespace ym::sim::elastic
