// Answers of an API server about pods, their creation and their end: B53 to B62.
#include <algorithm>

#include "executor/testing/recorded_responses/kubernetes/recorded_kubernetes.h"

namespace ym::recorded {
namespace {

class Pods : public RecordedKubernetes {};

TEST_F(Pods, B00TheOrdinaryLife) {
  play("B00-honest");
  run();
  end();
  EXPECT_EQ(the_end().exit_code, 0);
  EXPECT_EQ(times(kCreate), 1U);
  EXPECT_EQ(times(kList), 1U);
}

TEST_F(Pods, B53AnEmptyListIsNoEnd) {
  play("B53-empty-list");
  run();
  see("empty");
  EXPECT_TRUE(eventually([&] { return times(kList) >= 2; }));
  pass(seconds(30));
  EXPECT_TRUE(nothing_concluded());
  see("back");
  EXPECT_TRUE(eventually([&] { return times(kList) >= 3; }));
  pass(minutes(5));
  EXPECT_TRUE(nothing_concluded());
  end();
  EXPECT_EQ(the_end().exit_code, 0);
  EXPECT_EQ(times(kCreate), 1U);
}

// However long: the agent, which reports all the time, is the better witness.
TEST_F(Pods, B53AnEmptyListIsNoEndOfATaskThatSpeaks) {
  play("B53-empty-list");
  run();
  see("empty");
  for (int i = 0; i < 6; ++i) {
    pass(seconds(40));
    EXPECT_TRUE(agent().runs()) << "it is sent home";
  }
  EXPECT_TRUE(nothing_concluded());
  EXPECT_TRUE(agent().ends(3));
  ASSERT_TRUE(seen.await<TaskHasEnded>(kToken));
  EXPECT_EQ(the_end().exit_code, 3);
}

TEST_F(Pods, B54WhatCannotBeHadSaysNothing) {
  play("B54-lists-fail");
  run();
  clock.forward(seconds(2));
  ASSERT_TRUE(eventually([&] { return seen.available() == true; }));
  see("down");
  pass(seconds(20));
  EXPECT_TRUE(eventually([&] { return seen.available() == false; })) << "nothing is reported";
  pass(minutes(10));
  EXPECT_TRUE(nothing_concluded());
  enter("back");
  EXPECT_TRUE(eventually([&] { return clock.forward(seconds(1)), seen.available() == true; }));
  EXPECT_TRUE(nothing_concluded());
  EXPECT_LE(times(kList), 2U);
}

TEST_F(Pods, B54AThrottledCreationIsMadeLater) {
  play("B54-throttled");
  run();
  EXPECT_EQ(times(kCreate), 3U);
  EXPECT_EQ(seen.count<LaunchRefused>(kToken), 0U);
}

TEST_F(Pods, B55TheAgentsRecordDecides) {
  play("B55-record-decides");
  run();
  see("deleted");
  EXPECT_TRUE(agent().ends(3));
  ASSERT_TRUE(seen.await<TaskHasEnded>(kToken));
  pass(minutes(5));
  EXPECT_EQ(the_end().by, EndedBy::exit);
  EXPECT_EQ(the_end().exit_code, 3);
}

TEST_F(Pods, B55AnUnknownTaskHasEndedInAnUnknownWay) {
  play("B55-purged");
  run();
  see("deleted");
  pass(seconds(50));
  EXPECT_TRUE(nothing_concluded());
  pass(minutes(2));
  clock.forward(minutes(2));
  ASSERT_TRUE(seen.await<TaskHasEnded>(kToken));
  EXPECT_EQ(the_end().by, EndedBy::lost);
  EXPECT_FALSE(the_end().exit_code);
  EXPECT_EQ(times(kCreate), 1U);
}

TEST_F(Pods, B56APodOfAnotherUidIsNotOurs) {
  play("B56-another-uid");
  run();
  see("other");
  pass(seconds(40));
  EXPECT_TRUE(nothing_concluded());
  EXPECT_TRUE(agent().ends(0));
  ASSERT_TRUE(seen.await<TaskHasEnded>(kToken));
  EXPECT_EQ(the_end().exit_code, 0);
  executor->release(kToken);
  pass(minutes(1));
  for (const auto& each : asked(kDelete)) EXPECT_EQ(each.body.find("99999999"), each.body.npos) << each.body;
}

TEST_F(Pods, B57TheFirstEndStands) {
  play("B57-succeeded-then-failed");
  run();
  see("ended");
  see("failed");
  pass(seconds(6));
  ASSERT_TRUE(seen.await<TaskHasEnded>(kToken));
  pass(minutes(2));
  EXPECT_EQ(the_end().by, EndedBy::exit);
  EXPECT_EQ(the_end().exit_code, 0);
}

TEST_F(Pods, B58WhatRunsAfterItsEndIsTakenOffByItsUid) {
  play("B58-running-after-its-end");
  run();
  end();
  see("again");
  pass(minutes(2));
  EXPECT_EQ(the_end().exit_code, 0) << seen.words();
  EXPECT_EQ(seen.count<ContactIsLost>(kToken), 0U);
  executor->release(kToken);
  clock.forward(minutes(1));
  ASSERT_TRUE(eventually([&] { return times(kDelete) >= 1; }));
  EXPECT_NE(asked(kDelete)[0].body.find("a8877b69-2aec-4496-b352-774bf835f63f"), std::string::npos);
}

TEST_F(Pods, B59AnExitCodeThatIsNoneIsNotGuessed) {
  for (const char* name : {"B59-exit-text", "B59-exit-999", "B59-exit-huge", "B59-exit-negative", "B59-exit-none"}) {
    SCOPED_TRACE(name);
    play(name);
    run();
    end();
    EXPECT_EQ(the_end().by, EndedBy::lost);
    EXPECT_FALSE(the_end().exit_code);
    EXPECT_FALSE(the_end().signal);
    again();
  }
}

TEST_F(Pods, B60APhaseThatIsNoneSaysNothing) {
  play("B60-unknown-phase");
  run();
  see("odd");
  for (int i = 0; i < 5; ++i) {
    pass(seconds(40));
    EXPECT_TRUE(agent().runs());
  }
  EXPECT_TRUE(nothing_concluded());
  EXPECT_EQ(times(kDelete), 0U);
  end();
  EXPECT_EQ(the_end().exit_code, 0);
}

class Made : public RecordedKubernetes, public testing::WithParamInterface<std::string> {};
INSTANTIATE_TEST_SUITE_P(B61, Made,
                         testing::Values("B61-create-504", "B61-create-cut", "B61-create-html", "B61-create-502",
                                         "B61-create-empty-object"),
                         [](const auto& info) {
                           auto text = info.param;
                           std::ranges::replace(text, '-', '_');
                           return text;
                         });

TEST_P(Made, WhatExistsAllTheSameIsAdopted) {
  play(GetParam());
  run();
  end();
  EXPECT_EQ(the_end().exit_code, 0);
  EXPECT_EQ(seen.count<LaunchAccepted>(kToken), 1U);
  EXPECT_EQ(seen.count<LaunchRefused>(kToken), 0U);
  EXPECT_EQ(times(kDelete), 0U);
  for (const auto& each : asked(kCreate)) EXPECT_NE(each.body.find("\"ym-00000001-1-7-0\""), each.body.npos);
}

TEST_F(Pods, B62EventsInDisorderAreAsIfInOrder) {
  play("B62-disorder");
  run();
  see("disorder");
  EXPECT_TRUE(eventually([&] { return times(kList) == 2; }));
  pass(Duration{0});
  pass(minutes(2));
  EXPECT_TRUE(nothing_concluded());
  end();
  pass(minutes(1));
  EXPECT_EQ(the_end().exit_code, 0);
  EXPECT_EQ(seen.count<LaunchAccepted>(kToken), 1U);
  EXPECT_EQ(times(kList), 2U);
  EXPECT_EQ(times(kCreate), 1U);
}

TEST_F(Pods, B62AVersionThatIsTooOldIsAnsweredByOneList) {
  play("B62-gone-as-a-status");
  run();
  see("gone");
  EXPECT_TRUE(eventually([&] { return times(kList) == 2; }));
  pass(minutes(1));
  EXPECT_TRUE(nothing_concluded());
  end();
  EXPECT_EQ(the_end().exit_code, 0);
  EXPECT_EQ(times(kList), 2U);
}

// No watch has ever shown the pod, so none shows that it is gone. What is left of it finds a closed barrier.
TEST_F(Pods, B62APodThatCameAndWentBetweenIsMissed) {
  play("B62-came-and-went");
  launch();
  ASSERT_TRUE(seen.await<LaunchAccepted>(kToken));
  EXPECT_TRUE(eventually([&] { return times(kList) == 2; }));
  ASSERT_TRUE(seen.await<TaskHasEnded>(kToken));
  EXPECT_EQ(the_end().by, EndedBy::start_failed);
  EXPECT_FALSE(agent().waits()) << "its agent comes after all";
  EXPECT_EQ(times(kCreate), 1U);
}

TEST_F(Pods, B62AnotherErrorIsNoReasonForAList) {
  play("B62-error-event");
  run();
  see("error");
  pass(minutes(1));
  EXPECT_TRUE(nothing_concluded());
  end();
  EXPECT_EQ(the_end().exit_code, 0);
  EXPECT_EQ(times(kList), 1U);
}

}  // namespace
}  // namespace ym::recorded
