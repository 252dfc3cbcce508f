// Wrong answers of Slurm, played to the tracker: jobs that are lost, doubled, forgotten.
#include "executor/slurm/testing/tracker.h"

namespace ym::slurm {
namespace {

TEST_F(TrackerTest, TheOrdinaryLife) {
  launch();
  submit(12);
  EXPECT_EQ(tracker.take().accepted, std::vector<Token>{kToken});
  pass(seconds(2));
  EXPECT_TRUE(report<remote::NotStarted>(jobs({row(12, "PENDING")})));
  pass(seconds(2));
  EXPECT_EQ(report<remote::Alive>(jobs({row(12, "RUNNING")}))->node, "n1");
  EXPECT_TRUE(jobs({row(12, "RUNNING")}).reports.empty()) << "said once";
  pass(seconds(2));
  EXPECT_TRUE(jobs({row(12, "COMPLETED", "768")}).wants_nodes);
  const auto end = nodes({"IDLE"});
  ASSERT_TRUE(report<remote::Gone>(end));
  EXPECT_EQ(report<remote::Gone>(end)->exit->exit_code, 3);
  EXPECT_TRUE(jobs({}).submit.empty());
}

// B52
TEST_F(TrackerTest, AnUnclearSubmissionIsLookedForBeforeItIsMadeAgain) {
  launch();
  tracker.take();
  tracker.sending(name, now);
  tracker.submit_failed(name, {SubmitError::Kind::unclear, "timed out"}, now);
  EXPECT_TRUE(tracker.take().submit.empty());
  pass(seconds(2));
  EXPECT_TRUE(jobs({}).submit.empty()) << "it may be on its way";
  pass(seconds(5));
  const auto found = jobs({row(12, "RUNNING")});
  EXPECT_TRUE(found.submit.empty());
  EXPECT_EQ(found.accepted, std::vector<Token>{kToken});
}

TEST_F(TrackerTest, AnUnclearSubmissionThatIsNowhereIsMadeAgain) {
  launch();
  tracker.take();
  tracker.sending(name, now);
  tracker.submit_failed(name, {SubmitError::Kind::unclear, "timed out"}, now);
  pass(seconds(7));
  EXPECT_EQ(jobs({}).submit, std::vector<std::string>{name});
}

TEST_F(TrackerTest, ATwinIsTakenOff) {
  launch();
  submit(14);
  tracker.take();
  pass(seconds(2));
  const auto actions = jobs({row(14, "PENDING"), row(12, "RUNNING")});
  EXPECT_EQ(actions.cancel, std::vector<std::int64_t>{14});
  EXPECT_TRUE(report<remote::Alive>(actions));
}

TEST_F(TrackerTest, AcceptedAndLostIsSubmittedAgainWhileTheBarrierIsClosed) {
  launch();
  submit(12);
  tracker.take();
  pass(seconds(3));
  EXPECT_TRUE(jobs({}).submit.empty()) << "too early to tell";
  pass(seconds(4));
  EXPECT_EQ(jobs({}).submit, std::vector<std::string>{name});
}

TEST_F(TrackerTest, AcceptedAndForgottenIsNeverSubmittedAgainOnceTheBarrierWasOpen) {
  nodes({"IDLE"});
  launch();
  submit(12);
  tracker.take();
  barrier = true;
  pass(seconds(7));
  EXPECT_TRUE(jobs({}).submit.empty());
  pass(seconds(31));
  EXPECT_TRUE(jobs({}).submit.empty());
  pass(seconds(41));
  const auto actions = nodes({"IDLE"});
  ASSERT_TRUE(report<remote::Gone>(actions));
  EXPECT_FALSE(report<remote::Gone>(actions)->exit) << "it is unknown how it ended";
}

// B55
TEST_F(TrackerTest, TheAccountsAreAskedForWhatTheControllerHasForgotten) {
  tracker.set_rules({.has_accounts = true});
  launch();
  submit(12);
  tracker.take();
  pass(seconds(7));
  const auto actions = jobs({});
  EXPECT_TRUE(actions.submit.empty());
  ASSERT_EQ(actions.ask_accounts, std::vector<std::string>{name});
  tracker.see_accounts({name}, {row(12, "FAILED", "4:0")}, now);
  tracker.take();
  const auto end = nodes({"IDLE"});
  ASSERT_TRUE(report<remote::Gone>(end));
  EXPECT_EQ(report<remote::Gone>(end)->exit->exit_code, 4);
}

TEST_F(TrackerTest, AccountsThatStillTakeALostJobForPendingAreNotBelieved) {
  tracker.set_rules({.has_accounts = true});
  launch();
  submit(12);
  pass(seconds(7));
  jobs({});
  tracker.see_accounts({name}, {row(12, "PENDING", "0:0")}, now);
  EXPECT_EQ(tracker.take().submit, std::vector<std::string>{name});
}

// B56
TEST_F(TrackerTest, AnIdThatIsUsedAgainIsOfAnotherJob) {
  launch();
  submit(12);
  tracker.take();
  pass(seconds(7));
  auto other = row(12, "RUNNING");
  other.name = "ym-" + to_string(Token{JobId{99}, 1, 7});
  other.comment = "yardmaster/elsewhere x";
  const auto actions = jobs({other});
  EXPECT_EQ(actions.submit, std::vector<std::string>{name});
  EXPECT_TRUE(actions.cancel.empty()) << "foreign jobs are left alone";
}

TEST_F(TrackerTest, AJobOfOurNameThatIsAnotherServersIsLeftAlone) {
  launch();
  submit(12);
  tracker.take();
  auto foreign = row(3, "RUNNING");
  foreign.comment = "yardmaster/elsewhere x";
  const auto actions = jobs({foreign, row(12, "PENDING")});
  EXPECT_TRUE(actions.cancel.empty());
  EXPECT_TRUE(report<remote::NotStarted>(actions));
}

// B57, B58
TEST_F(TrackerTest, TheFirstEndStandsAndWhatRunsAfterItIsTakenOff) {
  launch();
  submit(12);
  tracker.take();
  pass(seconds(2));
  jobs({row(12, "COMPLETED", "0:0")});
  EXPECT_TRUE(report<remote::Gone>(nodes({"IDLE"})));
  EXPECT_TRUE(jobs({row(12, "FAILED", "1:0")}).reports.empty());
  const auto again = jobs({row(12, "RUNNING")});
  EXPECT_TRUE(again.reports.empty());
  EXPECT_EQ(again.cancel, std::vector<std::int64_t>{12});
}

// B59, B60
TEST_F(TrackerTest, ANonsenseStateSaysNothing) {
  launch();
  submit(12);
  tracker.take();
  const auto actions = jobs({row(12, "EVAPORATED", "abc")});
  EXPECT_TRUE(actions.reports.empty());
  EXPECT_EQ(actions.notes.size(), 1U);
  EXPECT_TRUE(jobs({row(12, "EVAPORATED", "abc")}).notes.empty()) << "noted once";
}

}  // namespace
}  // namespace ym::slurm
