// What the tracker does about attempts of an earlier server, about other servers, and about a Slurm that is still
// unknown.
#include "executor/slurm/power_up_jobs.h"
#include "executor/slurm/testing/tracker.h"

namespace ym::slurm {
namespace {

using Ids = std::vector<std::int64_t>;
using Names = std::vector<std::string>;

TEST_F(TrackerTest, OfAnEarlierLifeWhatIsNowhereIsUnknown) {
  recall();
  pass(seconds(1));
  EXPECT_EQ(jobs({}).unknown, std::vector<Token>{kToken});
  EXPECT_FALSE(tracker.knows(kToken));
}

TEST_F(TrackerTest, OfAnEarlierLifeWhatIsThereIsFound) {
  recall("n1");
  const auto actions = jobs({row(12, "RUNNING")});
  EXPECT_TRUE(actions.unknown.empty());
  EXPECT_TRUE(report<remote::Alive>(actions));
}

// NODE_FAIL, forgotten by the controller, no accounting; and the node may still compute.
TEST_F(TrackerTest, OfAnEarlierLifeWhatWasLetInIsNotGoneBeforeItsNodeShowsIt) {
  recall("n1");
  nodes({"DOWN"});
  for (int i = 0; i < 10; ++i) {
    pass(seconds(15));
    const auto actions = jobs({});
    EXPECT_TRUE(actions.unknown.empty());
    EXPECT_TRUE(actions.submit.empty());
    EXPECT_FALSE(report<remote::Gone>(actions));
  }
  EXPECT_FALSE(report<remote::Gone>(nodes({"DOWN"})));
  pass(hours(10));
  EXPECT_FALSE(report<remote::Gone>(nodes({"IDLE"}))) << "it has just come back, and cleans up yet";
  pass(seconds(41));
  const auto end = nodes({"IDLE"});
  ASSERT_TRUE(report<remote::Gone>(end));
  EXPECT_FALSE(report<remote::Gone>(end)->exit) << "it is unknown how it ended";
}

TEST_F(TrackerTest, OfAnEarlierLifeWhatWasLetInIsOutOfSightOnADownNode) {
  recall("n1");
  jobs({});
  pass(seconds(31));
  nodes({"DOWN"});
  EXPECT_TRUE(report<remote::OutOfSight>(jobs({})));
}

TEST_F(TrackerTest, WhereItRanItsAgentsSaidWhereSlurmPlaces) {
  tracker.set_rules({.placed = false});
  recall("n7");
  jobs({});
  pass(seconds(31));
  jobs({});
  pass(seconds(41));
  const auto seen = [&](std::vector<std::string> states) {
    tracker.see_nodes({{.name = "n1", .states = {"IDLE"}}, {.name = "n7", .states = std::move(states)}}, now);
    return tracker.take();
  };
  EXPECT_FALSE(report<remote::Gone>(seen({"DOWN"})));
  seen({"IDLE"});
  pass(seconds(41));
  EXPECT_TRUE(report<remote::Gone>(seen({"IDLE"})));
}

// A leader that has lost its database does not know that another has taken over.
TEST_F(TrackerTest, JobsOfANewerServerAreLeftAloneAndNothingIsDoneBesideThem) {
  tracker.begin_epoch(8);
  launch();
  submit(12);
  tracker.take();
  pass(seconds(1));
  auto newer = row(13, "RUNNING"), older = row(14, "RUNNING");
  newer.name = part_name(Token{JobId{2}, 1, 9}, "default", 0, 1);
  older.name = part_name(Token{JobId{3}, 1, 8}, "default", 0, 1);
  const auto actions = jobs({row(12, "RUNNING"), newer, older});
  EXPECT_TRUE(actions.cancel.empty());
  EXPECT_EQ(actions.notes.size(), 1U);
  EXPECT_TRUE(report<remote::Alive>(actions)) << "the visible state is reported";
  tracker.take_off(kToken);
  EXPECT_TRUE(tracker.take().cancel.empty());
  EXPECT_TRUE(tracker.ids(kToken, std::nullopt).empty());
  const Token late{JobId{4}, 1, 8};
  tracker.expect({.token = late}, {Part{.nodes = {"n2"}}}, now);
  EXPECT_FALSE(tracker.sending(part_name(late, "default", 0, 1), now));
  pass(seconds(2));
  EXPECT_TRUE(jobs({row(12, "RUNNING"), newer, older}).notes.empty()) << "noted once";
}

TEST_F(TrackerTest, WhatWakesANodeForANewerServerShowsItAsWell) {
  tracker.begin_epoch(8);
  launch();
  tracker.take();
  auto power_up_job = row(13, "RUNNING");
  power_up_job.name = power_up_job_name("c1", "default");
  power_up_job.comment = "yardmaster/default wakes node c1 for epoch 8";
  EXPECT_TRUE(jobs({power_up_job}).notes.empty());
  EXPECT_TRUE(tracker.may_submit());
  power_up_job.comment = "yardmaster/default wakes node c1 for epoch 9";
  EXPECT_EQ(jobs({power_up_job}).notes.size(), 1U);
  EXPECT_FALSE(tracker.may_submit());
}

TEST_F(TrackerTest, WhenNoNewerServerIsSeenAnyMoreWhatWaitedIsDone) {
  auto newer = row(13, "RUNNING"), older = row(14, "RUNNING");
  newer.name = part_name(Token{JobId{2}, 1, 9}, "default", 0, 1);
  older.name = part_name(Token{JobId{3}, 1, 6}, "default", 0, 1);
  launch();
  tracker.take();
  jobs({newer, older});
  EXPECT_FALSE(tracker.sending(name, now));
  pass(seconds(2));
  const auto actions = jobs({older});
  EXPECT_EQ(actions.submit, Names{name});
  EXPECT_EQ(actions.cancel, Ids{14});
  EXPECT_TRUE(tracker.sending(name, now));
}

TEST_F(TrackerTest, AnEpochThatBeginsMakesOlderJobsItsOwn) {
  auto older = row(13, "RUNNING");
  older.name = part_name(Token{JobId{2}, 1, 9}, "default", 0, 1);
  EXPECT_TRUE(jobs({older}).cancel.empty()) << "the own epoch is unknown";
  tracker.begin_epoch(9);
  EXPECT_EQ(jobs({older}).cancel, Ids{13});
}

TEST_F(TrackerTest, PartsOfALiveAttemptThatWouldBeCutOtherwiseNowAreLeftAlone) {
  recall("n1");
  auto part = row(13, "RUNNING");
  part.name = part_name(kToken, "default", 1, 2);
  EXPECT_TRUE(jobs({part}).cancel.empty());
  tracker.release(kToken);
  EXPECT_EQ(jobs({part}).cancel, Ids{13});
}

// A node that Slurm has started for the job was down before, and has lost nothing of it.
TEST_F(TrackerTest, ANodeThatBootedForAJobIsNoLossOfIt) {
  launch();
  submit(12);
  tracker.take();
  nodes({"IDLE", "CLOUD", "POWERED_DOWN"});
  EXPECT_TRUE(report<remote::NotStarted>(jobs({row(12, "CONFIGURING")})));
  EXPECT_TRUE(nodes({"ALLOCATED", "CLOUD", "POWERING_UP"}).reports.empty());
  pass(seconds(60));
  nodes({"ALLOCATED", "CLOUD"});
  pass(seconds(1));
  EXPECT_TRUE(report<remote::Alive>(jobs({row(12, "RUNNING")})));
  pass(seconds(1));
  jobs({row(12, "COMPLETED")});
  EXPECT_TRUE(report<remote::Gone>(nodes({"IDLE", "CLOUD"})));
}

TEST_F(TrackerTest, NothingIsSubmittedBeforeSlurmHasSaidHowItIsConfigured) {
  tracker.set_rules({.ready = false});
  launch();
  EXPECT_EQ(tracker.take().submit, Names{name});
  EXPECT_FALSE(tracker.sending(name, now));
  tracker.set_rules({});
  EXPECT_EQ(tracker.take().submit, Names{name});
  EXPECT_TRUE(tracker.sending(name, now));
}

TEST_F(TrackerTest, NothingIsMissedBeforeItIsKnownWhetherThereAreAccounts) {
  tracker.set_rules({.ready = false});
  recall();
  pass(seconds(60));
  EXPECT_TRUE(jobs({}).unknown.empty());
  tracker.set_rules({.has_accounts = true});
  EXPECT_EQ(jobs({}).ask_accounts, Names{name});
}

}  // namespace
}  // namespace ym::slurm
