// Tiresias and Optimus.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "papers/elastic/optimus.h"
#include "papers/elastic/testing/synthetic.h"
#include "papers/elastic/tiresias.h"

namespace ym::sim::elastic {
namespace {

using ::testing::ElementsAre;

constexpr Cluster kTwoNodes{.nodes = 2, .gpus_per_node = 4};

// Rounds by hand: the jobs go on as they are given.
class ByHand : public ::testing::Test {
 protected:
  ByHand() { catalog_.push_back(synthetic_application({.epochs = 10})); }

  void add(Count gpus, Count batch = 64) {
    jobs_.push_back({.request = {.name = "job", .gpus = gpus, .batch = batch}});
  }
  std::vector<Count> round(Policy& policy) {
    now_s_ += 60;
    Round round{.now_s = now_s_, .catalog = catalog_, .jobs = jobs_, .active = {}};
    for (std::size_t i = 0; i < jobs_.size(); ++i)
      if (!jobs_[i].end_s) round.active.push_back(i);
    const auto plan = policy.plan(round);
    std::vector<Count> gpus;
    for (std::size_t i = 0; i < plan.size(); ++i) {
      Job& job = jobs_[round.active[i]];
      job.allocation = plan[i];
      job.layout = layout_of(plan[i]);
      gpus.push_back(gpus_of(plan[i]));
    }
    return gpus;
  }

  Catalog catalog_;
  std::vector<Job> jobs_;
  std::int32_t now_s_ = 0;
};

TEST_F(ByHand, TiresiasPassesOverWhatDoesNotFit) {
  Tiresias policy({.cluster = kTwoNodes});
  add(6);
  add(4);
  add(2);
  EXPECT_THAT(round(policy), ElementsAre(6, 0, 2));
  EXPECT_THAT(jobs_[0].allocation, ElementsAre(NodeShare{0, 4}, NodeShare{1, 2}));
  EXPECT_THAT(jobs_[2].allocation, ElementsAre(NodeShare{1, 2}));
}

TEST_F(ByHand, TiresiasPutsBackJobsThatHadMuch) {
  Tiresias policy({.cluster = kTwoNodes, .limit_gpu_s = 8 * 120});
  add(8);
  add(5);
  EXPECT_THAT(round(policy), ElementsAre(8, 0));
  EXPECT_THAT(round(policy), ElementsAre(8, 0));
  EXPECT_THAT(round(policy), ElementsAre(0, 5));
  jobs_[1].end_s = now_s_ + 10;
  EXPECT_THAT(round(policy), ElementsAre(8));
}

TEST_F(ByHand, OptimusGivesToEachOneAndThenWhereMostIsWon) {
  Optimus policy(kTwoNodes);
  add(1);
  add(1);
  jobs_[0].epoch = 8;  // nearly done
  const auto gpus = round(policy);
  EXPECT_EQ(gpus[0] + gpus[1], 8U);
  EXPECT_GT(gpus[1], gpus[0]);
  EXPECT_GE(gpus[0], 1U);
}

TEST_F(ByHand, OptimusKeepsNodesOfUnchangedSizes) {
  Optimus policy(kTwoNodes);
  add(1);
  add(1);
  const auto first = round(policy);
  const auto before = jobs_[0].allocation;
  EXPECT_EQ(round(policy), first);
  EXPECT_EQ(jobs_[0].allocation, before);
}

TEST_F(ByHand, OptimusLeavesOutTheLastWhenThereAreMoreJobsThanGpus) {
  Optimus policy({.nodes = 1, .gpus_per_node = 2});
  add(1);
  add(1);
  add(1);
  EXPECT_THAT(round(policy), ElementsAre(1, 1, 0));
}

}  // namespace
}  // namespace ym::sim::elastic
