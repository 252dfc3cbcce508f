// What the tracker does about stops, lost nodes and refusals.
#include "base/testing/sentences.h"
#include "executor/slurm/testing/tracker.h"

namespace ym::slurm {
namespace {

using ym::testing::expect_sentence;

TEST_F(TrackerTest, ACancelThatCameUndoneIsMadeAgain) {
  launch();
  submit(12);
  tracker.take();
  jobs({row(12, "PENDING")});
  tracker.take_off(kToken);
  EXPECT_EQ(tracker.take().cancel, std::vector<std::int64_t>{12});
  pass(seconds(10));
  EXPECT_EQ(jobs({row(12, "PENDING")}).cancel, std::vector<std::int64_t>{12});
}

TEST_F(TrackerTest, WhatIsSaidAfterTheEndIsNotedOnce) {
  launch();
  submit(12);
  tracker.take();
  jobs({row(12, "COMPLETED")});
  EXPECT_TRUE(jobs({row(12, "COMPLETED")}).notes.empty());
  const auto notes = jobs({row(12, "FAILED")}).notes;
  ASSERT_EQ(notes.size(), 1U);
  expect_sentence(notes.front());
  EXPECT_TRUE(jobs({row(12, "RUNNING")}).notes.empty());
}

TEST_F(TrackerTest, WhatRunsAfterItsEndIsNotedAndTakenOff) {
  launch();
  submit(12);
  tracker.take();
  jobs({row(12, "COMPLETED")});
  const auto actions = jobs({row(12, "RUNNING")});
  ASSERT_EQ(actions.notes.size(), 1U);
  expect_sentence(actions.notes.front());
  EXPECT_EQ(actions.cancel, std::vector<std::int64_t>{12});
}

TEST_F(TrackerTest, AReleasedJobThatComesBackIsTakenOff) {
  launch();
  submit(12);
  tracker.take();
  jobs({row(12, "COMPLETED")});
  nodes({"IDLE"});
  tracker.release(kToken);
  jobs({row(12, "COMPLETED")});
  EXPECT_FALSE(tracker.knows(kToken));
  EXPECT_EQ(jobs({row(12, "PENDING")}).cancel, std::vector<std::int64_t>{12});
}

TEST_F(TrackerTest, AReleasedJobEndsByItselfOrIsTakenOffByTheNextList) {
  launch();
  submit(12);
  tracker.take();
  jobs({row(12, "RUNNING")});
  tracker.release(kToken);
  EXPECT_TRUE(tracker.take().cancel.empty()) << "its agent is about to end";
  EXPECT_TRUE(tracker.expects_change());
  pass(seconds(10));
  EXPECT_EQ(jobs({row(12, "RUNNING")}).cancel, std::vector<std::int64_t>{12});
}

TEST_F(TrackerTest, ADownNodeIsOutOfSightAndBackAgain) {
  launch();
  submit(12);
  tracker.take();
  jobs({row(12, "RUNNING")});
  nodes({"ALLOCATED"});
  pass(seconds(10));
  EXPECT_TRUE(report<remote::OutOfSight>(nodes({"DOWN", "NOT_RESPONDING"})));
  pass(seconds(10));
  EXPECT_TRUE(report<remote::Alive>(nodes({"ALLOCATED"})));
}

TEST_F(TrackerTest, ANodeFailureIsNoProofOfAnEnd) {
  launch();
  submit(12);
  tracker.take();
  jobs({row(12, "RUNNING")});
  pass(seconds(10));
  jobs({row(12, "NODE_FAIL")});
  pass(seconds(1));
  EXPECT_FALSE(report<remote::Gone>(nodes({"DOWN"})));
  pass(hours(10));
  EXPECT_FALSE(report<remote::Gone>(nodes({"DOWN"})));
  pass(seconds(10));
  EXPECT_FALSE(report<remote::Gone>(nodes({"IDLE"}))) << "it has just come back, and cleans up yet";
  pass(seconds(41));
  EXPECT_TRUE(report<remote::Gone>(nodes({"IDLE"})));
}

TEST_F(TrackerTest, AMachineThatBootedAfterTheLossHasNothingLeft) {
  launch();
  submit(12);
  tracker.take();
  jobs({row(12, "RUNNING")});
  pass(seconds(10));
  auto lost = row(12, "NODE_FAIL");
  lost.ended = now;
  jobs({lost});
  pass(seconds(60));
  EXPECT_TRUE(report<remote::Gone>(nodes({"IDLE"}, now - seconds(20))));
}

TEST_F(TrackerTest, ARequeueByAUserIsTakenOff) {
  launch();
  submit(12);
  tracker.take();
  jobs({row(12, "RUNNING")});
  pass(seconds(10));
  auto again = row(12, "PENDING");
  again.restarts = 1;
  const auto actions = jobs({again});
  EXPECT_EQ(actions.cancel, std::vector<std::int64_t>{12});
  EXPECT_TRUE(actions.reports.empty());
}

TEST_F(TrackerTest, WhatCanNeverStartIsGivenUp) {
  launch();
  submit(12);
  tracker.take();
  auto never = row(12, "PENDING");
  never.reason = "PartitionNodeLimit";
  EXPECT_EQ(jobs({never}).give_up.size(), 1U);
  never.reason = "Resources";
  EXPECT_TRUE(jobs({never}).give_up.empty());
  pass(minutes(11));
  EXPECT_EQ(jobs({never}).give_up.size(), 1U) << "and what others keep from its place";
}

TEST_F(TrackerTest, AStopBeforeTheSubmissionMakesNone) {
  launch();
  tracker.take_off(kToken);
  EXPECT_FALSE(tracker.sending(name, now));
  EXPECT_TRUE(report<remote::Gone>(tracker.take()));
}

TEST_F(TrackerTest, AStopDuringTheSubmissionCancelsWhatComesOfIt) {
  launch();
  tracker.take();
  tracker.sending(name, now);
  tracker.take_off(kToken);
  tracker.sent(name, 12, now);
  EXPECT_EQ(tracker.take().cancel, std::vector<std::int64_t>{12});
}

// The lost job may be back meanwhile: it is looked for.
TEST_F(TrackerTest, AStopBeforeItIsSubmittedAgainEnds) {
  launch();
  submit(12);
  tracker.take();
  pass(seconds(7));
  ASSERT_EQ(jobs({}).submit, std::vector<std::string>{name});
  tracker.take_off(kToken);
  EXPECT_FALSE(tracker.sending(name, now));
  EXPECT_FALSE(report<remote::Gone>(tracker.take())) << "it is not known to be nowhere";
  pass(seconds(7));
  EXPECT_TRUE(report<remote::Gone>(jobs({})));
}

TEST_F(TrackerTest, AStopBeforeItIsSubmittedAgainCancelsWhatIsThereAfterAll) {
  launch();
  submit(12);
  tracker.take();
  pass(seconds(7));
  jobs({});
  tracker.take_off(kToken);
  pass(seconds(2));
  EXPECT_EQ(jobs({row(12, "PENDING")}).cancel, std::vector<std::int64_t>{12});
  jobs({row(12, "CANCELLED")});
  EXPECT_TRUE(report<remote::Gone>(nodes({"IDLE"})));
}

TEST_F(TrackerTest, ARefusalIsSaidOnceAndForTheWholeGang) {
  LaunchRequest request{.token = kToken};
  tracker.expect(request, {Part{.nodes = {"n1"}}, Part{.first_task = 1, .nodes = {"n2"}}}, now);
  tracker.take();
  tracker.sending(name + ".p0", now);
  tracker.sending(name + ".p1", now);
  tracker.sent(name + ".p0", 12, now);
  tracker.submit_failed(name + ".p1", {SubmitError::Kind::permanent, "no such partition"}, now);
  const auto actions = tracker.take();
  ASSERT_EQ(actions.refused.size(), 1U);
  EXPECT_TRUE(actions.refused.front().second.permanent);
  EXPECT_TRUE(actions.accepted.empty());
  EXPECT_EQ(actions.cancel, std::vector<std::int64_t>{12});
}

}  // namespace
}  // namespace ym::slurm
