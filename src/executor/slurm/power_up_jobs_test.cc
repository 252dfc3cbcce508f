#include "executor/slurm/power_up_jobs.h"

#include <gtest/gtest.h>

#include "base/testing/sentences.h"

namespace ym::slurm {
namespace {

using ym::testing::expect_sentence;

constexpr Instant kNow{hours(1).ms};

class PowerUpJobsTest : public ::testing::Test {
 protected:
  PowerUpJobsTest() {
    flavor_.elastic = ElasticCapacity{.max_nodes = 4, .provisioning = minutes(2)};
    for (const char* name : {"c1", "c2", "c3"}) set(name, "down");
    set("n1", "");
    power_up_jobs_.see_jobs({}, kNow);
  }

  void set(const std::string& name, const std::string& power) {
    Node node{.name = name, .cluster = "hpc", .gpu_type = "h100"};
    if (!power.empty()) node.labels["slurm-power"] = power;
    nodes_[name] = node;
  }
  std::vector<Node> shown() const {
    std::vector<Node> all;
    for (const auto& [name, node] : nodes_) all.push_back(node);
    power_up_jobs_.withhold(all);
    return all;
  }
  void want(std::int64_t nodes) {
    flavor_.wanted.nodes = nodes;
    power_up_jobs_.want(flavor_);
  }
  // The nodes of submissions. Each submission succeeds, with ids from 1 on.
  std::vector<std::string> pass() {
    work_ = power_up_jobs_.pass(shown(), busy_, now_);
    std::vector<std::string> names;
    for (const Submission& one : work_.submit) {
      names.push_back(one.node_list.front());
      EXPECT_EQ(power_up_jobs_.submitted(one.name, ++last_id_, now_), "");
      rows_.push_back({.id = last_id_, .name = one.name, .state = "PENDING", .comment = one.comment});
    }
    return names;
  }
  std::vector<std::int64_t> cancelled() {
    pass();
    for (const auto id : work_.cancel) std::erase_if(rows_, [&](const JobRow& row) { return row.id == id; });
    return work_.cancel;
  }
  void list() {
    now_ = now_ + seconds(10);
    power_up_jobs_.see_jobs(rows_, now_);
  }

  using Names = std::vector<std::string>;
  using Ids = std::vector<std::int64_t>;
  Flavor flavor_{.name = "h100", .gpu_type = "h100", .cluster = "hpc"};
  std::map<std::string, Node> nodes_;
  std::set<std::string> busy_;
  PowerUpJobs power_up_jobs_{"one"};
  PowerUpJobs::Work work_;
  std::vector<JobRow> rows_;
  std::int64_t last_id_ = 0;
  Instant now_ = kNow;
};

TEST_F(PowerUpJobsTest, NodesOfElasticFlavorsAreOfferedOnceTheyAreUp) {
  EXPECT_TRUE(shown()[0].in_service()) << "of others Slurm starts them itself";
  want(0);
  set("c2", "starting");
  expect_sentence(shown()[0].withheld);
  expect_sentence(shown()[1].withheld);
  EXPECT_EQ(shown()[3].withheld, "");
  nodes_["c1"].withheld = "drained in Slurm";
  EXPECT_EQ(shown()[0].withheld, "drained in Slurm");
  flavor_.elastic.reset();
  want(0);
  EXPECT_TRUE(shown()[1].in_service());
}

TEST_F(PowerUpJobsTest, AsManyAreWokenAsAreMissing) {
  want(1);
  EXPECT_EQ(pass(), Names{}) << "n1 is there";
  want(3);
  EXPECT_EQ(pass(), (Names{"c1", "c2"}));
  EXPECT_EQ(work_.submit.front().name, "ym-node-c1-one");
  EXPECT_EQ(work_.submit.front().gpus_per_node, 0);
  EXPECT_EQ(pass(), Names{}) << "they are on their way";
  list();
  EXPECT_EQ(pass(), Names{});
  want(9);
  EXPECT_EQ(pass(), Names{"c3"}) << "there are no more";
}

TEST_F(PowerUpJobsTest, TheyStayUntilAllAreThere) {
  want(3);
  pass();
  list();
  set("c1", "");
  EXPECT_EQ(cancelled(), Ids{}) << "or it would be switched off before c2 is there";
  set("c2", "");
  EXPECT_EQ(cancelled(), (Ids{1, 2}));
  EXPECT_TRUE(power_up_jobs_.any());
  EXPECT_EQ(cancelled(), Ids{}) << "it was said";
  list();
  pass();
  EXPECT_FALSE(power_up_jobs_.any());
}

TEST_F(PowerUpJobsTest, TheyStayThoughOthersBoot) {
  want(4);
  pass();
  list();
  set("c3", "");
  set("c2", "starting");
  EXPECT_EQ(cancelled(), Ids{}) << "c1 and c2 are still to come";
}

TEST_F(PowerUpJobsTest, WhatBootsAlreadyIsNotWokenTwice) {
  set("c2", "starting");
  want(2);
  EXPECT_EQ(pass(), Names{}) << "it will be there, whatever started it";
  want(3);
  EXPECT_EQ(pass(), Names{"c1"});
}

TEST_F(PowerUpJobsTest, WhereAJobOfOursIsNoneIsNeeded) {
  want(3);
  pass();
  list();
  set("c1", "");
  busy_ = {"c1"};
  EXPECT_EQ(cancelled(), Ids{1});
  EXPECT_EQ(work_.submit.size(), 0U);
}

TEST_F(PowerUpJobsTest, WhenFewerAreWantedThoseGoFirstThatDoNotBootYet) {
  want(3);
  pass();
  list();
  set("c2", "starting");
  want(2);
  EXPECT_EQ(cancelled(), Ids{1});
  want(0);
  EXPECT_EQ(cancelled(), Ids{2});
}

TEST_F(PowerUpJobsTest, ACancelThatWasForgottenIsSaidAgain) {
  want(2);
  pass();
  list();
  want(0);
  EXPECT_EQ(power_up_jobs_.pass(shown(), {}, now_).cancel, Ids{1});
  list();
  EXPECT_EQ(power_up_jobs_.pass(shown(), {}, now_).cancel, Ids{});
  now_ = now_ + seconds(30);
  EXPECT_EQ(power_up_jobs_.pass(shown(), {}, now_).cancel, Ids{1});
}

TEST_F(PowerUpJobsTest, ANodeThatDoesNotComeIsLeftAloneForAWhile) {
  want(2);
  EXPECT_EQ(pass(), Names{"c1"});
  list();
  rows_.front().state = "NODE_FAIL";
  list();
  EXPECT_EQ(pass(), Names{"c2"});
  ASSERT_EQ(work_.said.size(), 1U);
  expect_sentence(work_.said.front());
  want(3);
  EXPECT_EQ(pass(), Names{"c3"});
  want(4);
  EXPECT_EQ(pass(), Names{});
  now_ = now_ + minutes(5);
  EXPECT_EQ(pass(), Names{"c1"});
}

TEST_F(PowerUpJobsTest, OneThatWaitsForTooLongIsTakenBack) {
  want(2);
  pass();
  list();
  now_ = now_ + minutes(14);
  EXPECT_EQ(pass(), Names{"c2"});
  EXPECT_EQ(work_.cancel, Ids{1});
}

TEST_F(PowerUpJobsTest, WhatSlurmRefusesIsSaidAndAnotherIsTried) {
  want(2);
  const auto work = power_up_jobs_.pass(shown(), {}, now_);
  ASSERT_EQ(work.submit.size(), 1U);
  EXPECT_EQ(power_up_jobs_.pass(shown(), {}, now_).submit.size(), 0U) << "it is being tried";
  const SubmitError refused{SubmitError::Kind::refused, "no"};
  expect_sentence(power_up_jobs_.submitted("ym-node-c1-one", std::unexpected(refused), now_));
  EXPECT_EQ(pass(), Names{"c2"});
}

TEST_F(PowerUpJobsTest, WhatBecameOfAnUnclearSubmissionIsOnTheList) {
  want(2);
  const auto work = power_up_jobs_.pass(shown(), {}, now_);
  EXPECT_EQ(power_up_jobs_.submitted("ym-node-c1-one", std::unexpected(SubmitError{}), now_), "");
  power_up_jobs_.see_jobs({}, now_ + seconds(5));
  EXPECT_EQ(power_up_jobs_.pass(shown(), {}, now_).submit.size(), 0U) << "the list may be older";
  rows_.push_back({.id = 7, .name = "ym-node-c1-one", .state = "RUNNING", .comment = work.submit.front().comment});
  list();
  want(0);
  EXPECT_EQ(cancelled(), Ids{7});
}

TEST_F(PowerUpJobsTest, TheyNameTheirServer) {
  power_up_jobs_.begin_epoch(12);
  want(2);
  pass();
  EXPECT_EQ(work_.submit.front().comment, "yardmaster/one wakes node c1 for epoch 12");
  JobRow row = rows_.front();
  EXPECT_EQ(epoch_of_power_up_job(row, "one"), 12U);
  EXPECT_EQ(epoch_of_power_up_job(row, "two"), 0U);
  for (const char* comment : {"yardmaster/one wakes node c1", "yardmaster/one wakes node c1 for epoch x", ""}) {
    row.comment = comment;
    EXPECT_EQ(epoch_of_power_up_job(row, "one"), 0U) << comment;
  }
}

TEST_F(PowerUpJobsTest, ThoseOfAnEarlierLifeAreFound) {
  PowerUpJobs later("one");
  want(3);
  pass();
  later.want(flavor_);
  EXPECT_EQ(later.pass(shown(), {}, now_).submit.size(), 0U) << "not before the first list";
  rows_.push_back({.id = 9, .name = "ym-node-c3-two", .state = "RUNNING", .comment = "yardmaster/two wakes node c3"});
  later.see_jobs(rows_, now_);
  EXPECT_EQ(later.nodes(), (std::set<std::string>{"c1", "c2"})) << "jobs of another server do not count";
  EXPECT_EQ(later.pass(shown(), {}, now_).submit.size(), 0U);
  flavor_.elastic.reset();
  later.want(flavor_);
  EXPECT_EQ(later.pass(shown(), {}, now_).cancel, Ids{}) << "it may not have been said yet";
  EXPECT_EQ(later.pass(shown(), {}, now_ + seconds(30)).cancel, (Ids{1, 2})) << "no more nodes of it are made";
}

}  // namespace
}  // namespace ym::slurm
