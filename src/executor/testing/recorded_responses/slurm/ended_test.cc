// Answers of Slurm about jobs that are gone, or seem to be: B55 to B60.
#include "executor/testing/recorded_responses/slurm/recorded_slurm.h"

namespace ym::recorded {
namespace {

class Ended : public RecordedSlurm, public testing::WithParamInterface<Interface> {
 protected:
  void end_well() {
    run();
    end();
    EXPECT_EQ(the_end().exit_code, 0);
  }
};
INSTANTIATE_TEST_SUITE_P(By, Ended, testing::Values(Interface::commands, Interface::rest),
                         [](const auto& info) { return info.param == Interface::rest ? "Rest" : "Commands"; });

TEST_P(Ended, B55TheAgentsRecordDecides) {
  play(GetParam(), "B55-record-decides");
  run();
  see("gone");
  EXPECT_TRUE(agent().ends(3));
  ASSERT_TRUE(seen.await<TaskHasEnded>(kToken));
  enter("late");
  pass(minutes(1));
  EXPECT_EQ(the_end().by, EndedBy::exit);
  EXPECT_EQ(the_end().exit_code, 3);
}

TEST_P(Ended, B55AccountsThatAreLateAreAskedAgain) {
  play(GetParam(), "B55-accounts-late");
  run();
  enter("gone");
  ASSERT_TRUE(eventually([&] { return times(Question::accounts) >= 1; }));
  ASSERT_TRUE(heard(Question::jobs));
  pass(seconds(10));
  EXPECT_TRUE(nothing_concluded());
  enter("late");
  pass(minutes(1));
  ASSERT_TRUE(heard(Question::nodes));
  pass(seconds(20));
  ASSERT_TRUE(seen.await<TaskHasEnded>(kToken));
  EXPECT_EQ(the_end().by, EndedBy::exit) << the_end().message;
  EXPECT_EQ(the_end().exit_code, 4);
}

TEST_P(Ended, B55AnUnknownTaskHasEndedInAnUnknownWay) {
  play(GetParam(), "B55-purged");
  run();
  see("gone");
  pass(seconds(20));
  EXPECT_TRUE(nothing_concluded());
  for (int i = 0; i < 3; ++i) pass(seconds(25));
  ASSERT_TRUE(seen.await<TaskHasEnded>(kToken));
  EXPECT_EQ(the_end().by, EndedBy::lost);
  EXPECT_FALSE(the_end().exit_code);
  EXPECT_EQ(times(Question::submission), 1U);
}

TEST_P(Ended, B55AccountsThatFailAreAskedAgain) {
  play(GetParam(), "B55-accounts-fail");
  run();
  enter("gone");
  ASSERT_TRUE(eventually([&] { return times(Question::accounts) >= 3; }));
  pass(minutes(10));
  EXPECT_TRUE(nothing_concluded());
  see("back");
  pass(seconds(6));
  ASSERT_TRUE(seen.await<TaskHasEnded>(kToken));
  EXPECT_EQ(the_end().exit_code, 4);
}

// Also if the job is to be stopped and killed: another job has its number now.
TEST_P(Ended, B56AnIdThatIsUsedAgainIsLeftAlone) {
  for (const char* phase : {"recycled", "others"}) {
    SCOPED_TRACE(phase);
    play(GetParam(), "B56-recycled-id");
    run();
    see(phase);
    EXPECT_TRUE(nothing_concluded());
    executor->stop(kToken, {.cause = StopCause::cancel, .grace = seconds(1)});
    pass(seconds(25));
    for (int i = 0; i < 3; ++i) pass(seconds(25));
    ASSERT_TRUE(seen.await<TaskHasEnded>(kToken));
    EXPECT_FALSE(the_end().exit_code);
    EXPECT_FALSE(cancelled("101"));
    again();
  }
}

TEST_P(Ended, B57TheFirstEndStands) {
  play(GetParam(), "B57-completed-then-failed");
  run();
  see("ended");
  see("failed");
  pass(seconds(6));
  ASSERT_TRUE(seen.await<TaskHasEnded>(kToken));
  pass(minutes(1));
  EXPECT_EQ(the_end().by, EndedBy::exit);
  EXPECT_EQ(the_end().exit_code, 0);
}

// A later end does not count either while the first one is unsettled because the nodes are unknown.
TEST_P(Ended, B57TheFirstEndStandsBeforeItIsSettledToo) {
  play(GetParam(), "B57-before-it-is-settled");
  run();
  enter("completed");
  ASSERT_TRUE(heard(Question::jobs));
  EXPECT_TRUE(nothing_concluded());
  enter("failed");
  ASSERT_TRUE(heard(Question::jobs));
  see("lit");
  clock.forward(seconds(70));
  ASSERT_TRUE(seen.await<TaskHasEnded>(kToken));
  EXPECT_EQ(the_end().exit_code, 0);
}

TEST_P(Ended, B58WhatRunsAfterItsEndIsTakenOff) {
  play(GetParam(), "B58-running-after-its-end");
  end_well();
  EXPECT_FALSE(cancelled("101"));
  enter("running");
  EXPECT_TRUE(eventually([&] { return cancelled("101"); }));
  pass(minutes(2));
  EXPECT_EQ(the_end().exit_code, 0) << seen.words();
  EXPECT_EQ(seen.count<ContactIsLost>(kToken), 0U);
}

TEST_P(Ended, B58UnlessItHasAnotherName) {
  play(GetParam(), "B58-running-after-its-end");
  end_well();
  see("foreign");
  executor->release(kToken);
  pass(minutes(4));
  EXPECT_FALSE(cancelled("101"));
}

TEST_P(Ended, B59AnExitCodeThatIsNoneIsNotGuessed) {
  for (const char* name : {"B59-exit-text", "B59-exit-999", "B59-exit-huge", "B59-exit-negative", "B59-exit-zero"}) {
    SCOPED_TRACE(name);
    play(GetParam(), name);
    run();
    end();
    EXPECT_EQ(the_end().by, EndedBy::lost);
    EXPECT_FALSE(the_end().exit_code);
    EXPECT_FALSE(the_end().signal);
    again();
  }
}

TEST_P(Ended, B60AStateThatIsNoneSaysNothing) {
  play(GetParam(), "B60-unknown-state");
  run();
  see("odd");
  pass(minutes(10));
  pass(minutes(10));
  EXPECT_TRUE(nothing_concluded());
  EXPECT_FALSE(cancelled("101"));
  end();
  EXPECT_EQ(the_end().exit_code, 0);
}

}  // namespace
}  // namespace ym::recorded
