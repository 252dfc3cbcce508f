// A server that starts, with each state that an earlier one may have left.
#include <gtest/gtest.h>

#include "executor/remote/testing/registry.h"

namespace ym::remote {
namespace {

using Barrier = TaskOrders::Barrier;

class RegistryRestart : public RegistryTest {
 protected:
  const TaskKey key_{kToken.key(), 0};
};

TEST_F(RegistryRestart, BeforeItKnowsWhatLivesItReportsNoEnd) {
  registry_ = std::make_unique<TaskRegistry>(clock_, options_);
  EXPECT_EQ(refused(0, runs("a0")), ErrorCode::unavailable);
  EXPECT_EQ(registry_->orders(key_, "a0", 0).error().code, ErrorCode::unavailable);
}

TEST_F(RegistryRestart, AgentsThatWaitedReportThatAgain) {
  open({stored(2, false)});
  EXPECT_EQ(registry_->orders(key_, "a0", 1).error().code, ErrorCode::unavailable) << "report first";
  say(0, waits("a0"));
  EXPECT_EQ(count<GangIsWaiting>(), 0);
  say(1, waits("a1"));
  EXPECT_EQ(count<LaunchAccepted>(), 1) << "the server before may have died before it said so";
  let_in();
  EXPECT_EQ(say(0, waits("a0")).barrier, Barrier::go);
}

TEST_F(RegistryRestart, AStoredBarrierIsOpenForNoOtherAgentAndControlIsAskedAgain) {
  open({stored(2, true)});
  EXPECT_TRUE(registry_->barrier_is_open(kToken));
  EXPECT_EQ(refused(0, waits("b")), ErrorCode::conflict);
  EXPECT_EQ(say(0, waits("a0")).barrier, Barrier::wait) << "it may have been stopped";
  ASSERT_EQ(count<GangIsWaiting>(), 1) << "one that runs does not report that it waits";
  let_in();
  EXPECT_EQ(say(0, waits("a0")).barrier, Barrier::go);
  ASSERT_TRUE(say(0, waits("a0")).launch);
  say(1, runs("a1"));
  EXPECT_EQ(count<TaskIsRunning>(), 1);
}

TEST_F(RegistryRestart, AStopThatComesAgainFindsTheBarrierStillHeld) {
  open({stored(1, true)});
  EXPECT_TRUE(registry_->stop(kToken, {.cause = StopCause::cancel, .grace = seconds(30)}));
  const auto orders = say(0, waits("a0"));
  EXPECT_EQ(orders.barrier, Barrier::release);
  EXPECT_EQ(orders.cause, StopCause::cancel);
  EXPECT_EQ(count<GangIsWaiting>(), 0);
}

// Its request may reach the new server before it has noticed that the old one is gone.
TEST_F(RegistryRestart, AnAgentThatHasNotReportedSinceIsAskedToBeforeItIsToldAnything) {
  open({stored(1, true)});
  EXPECT_EQ(registry_->orders(key_, "a0", 1).error().code, ErrorCode::unavailable) << "report first";
  say(0, runs("a0"));
  EXPECT_EQ(count<TaskIsRunning>(), 1);
  EXPECT_TRUE(registry_->orders(key_, "a0", 1));
}

TEST_F(RegistryRestart, WhatRunsIsHeardAgain) {
  open({stored(1, true, TaskState::running)});
  auto report = runs("a0");
  report.progress = {{.number = 17, .at = {1}, .text = "{\"step\": 3}"}};
  EXPECT_EQ(say(0, report).progress_heard, 17);
  EXPECT_EQ(count<GangIsWaiting>(), 0);
  EXPECT_EQ(count<TaskIsRunning>(), 1);
  EXPECT_EQ(count<ContactIsBack>(), 1) << "should it have been missed before";
  EXPECT_EQ(count<ProgressIsReported>(), 1);
}

TEST_F(RegistryRestart, ContactIsBackWithAllOfItsTasks) {
  open({stored(2, true, TaskState::running)});
  say(0, runs("a0"));
  EXPECT_EQ(count<ContactIsBack>(), 0);
  registry_->cluster_says(kToken, 1, Alive{"n1"});
  EXPECT_EQ(count<ContactIsBack>(), 1);
}

TEST_F(RegistryRestart, AnEndThatWasNotHeardIsHeardLater) {
  open({stored(1, true, TaskState::running)});
  say(0, has_ended("a0", exit_code(0)));
  EXPECT_EQ(last<TaskHasEnded>()->exit.exit_code, 0);
}

TEST_F(RegistryRestart, AnEndThatIsStoredLetsTheAgentGo) {
  auto live = stored(2, true, TaskState::running);
  live.tasks[0].state = TaskState::ended;
  live.tasks[0].exit = exit_code(0);
  open({live});
  EXPECT_TRUE(say(0, has_ended("a0", exit_code(0))).end_stored);
  EXPECT_EQ(count<TaskHasEnded>(), 0) << "it is known";
}

TEST_F(RegistryRestart, AnAgentThatIsGoneAfterItMayHaveBegunIsALoss) {
  open({stored(1, true)});
  registry_->cluster_says(kToken, 0, Gone{.exit = {}, .message = "node failed"});
  pass(options_.settle);
  EXPECT_EQ(last<TaskHasEnded>()->exit.by, EndedBy::lost);
}

TEST_F(RegistryRestart, AnAgentOfAnAttemptThatIsOverEnds) {
  open({});
  EXPECT_EQ(refused(0, runs("a0")), ErrorCode::not_found);
  EXPECT_EQ(registry_->orders(key_, "a0", 0).error().code, ErrorCode::not_found);
}

TEST_F(RegistryRestart, WhatTheClusterNeverHeardOfIsUnknown) {
  open({stored(2, false)});
  registry_->cluster_knows_nothing(kToken);
  ASSERT_EQ(count<TokenIsUnknown>(), 1);
  EXPECT_TRUE(last<TokenIsUnknown>()->nothing_lives);
  EXPECT_TRUE(registry_->launch(gang_of(2)));
  say(0, waits("a0"));
  say(1, waits("a1"));
  let_in();
  EXPECT_EQ(say(0, waits("a0")).barrier, Barrier::go);
  registry_->cluster_knows_nothing(kToken);
  EXPECT_EQ(count<TokenIsUnknown>(), 1) << "it was launched";
}

TEST_F(RegistryRestart, OneThatWasLetInHasTimeToSpeakBeforeItIsUnknown) {
  open({stored(1, true, TaskState::running)});
  registry_->cluster_knows_nothing(kToken);
  pass(options_.silence + Duration{-1});
  EXPECT_EQ(count<TokenIsUnknown>(), 0);
  pass({1});
  EXPECT_EQ(count<TokenIsUnknown>(), 1);
}

TEST_F(RegistryRestart, OneThatIsHeardIsNotUnknown) {
  open({stored(1, true, TaskState::running)});
  registry_->cluster_knows_nothing(kToken);
  say(0, runs("a0"));
  pass(options_.silence);
  EXPECT_EQ(count<TokenIsUnknown>(), 0);
  EXPECT_EQ(count<ContactIsLost>(), 1) << "both doubt: the cluster knows nothing, and it is silent now";
}

TEST_F(RegistryRestart, WhatWasStoppedBeforeItsBarrierAndIsOffTheClusterHasEnded) {
  registry_->launch(gang_of(2));
  registry_->stop(kToken, {.cause = StopCause::cancel, .grace = {}});
  registry_->cluster_knows_nothing(kToken);
  pass(options_.settle);
  EXPECT_EQ(count<TaskHasEnded>(), 2);
  EXPECT_EQ(last<TaskHasEnded>()->exit.by, EndedBy::start_failed);
}

TEST_F(RegistryRestart, OrdersOfALaterServerAreNewer) {
  run_gang(1);
  const auto before = say(0, runs("a0")).version;
  clock_.advance(seconds(1));
  open({stored(1, true, TaskState::running)});
  EXPECT_GT(say(0, runs("a0")).version, before);
}

TEST_F(RegistryRestart, OrdersAreToldEvenIfTheClockWasSetBack) {
  run_gang(1);
  const auto before = say(0, runs("a0")).version;
  clock_.set({1'000'000});
  open({stored(1, true, TaskState::running)});
  EXPECT_LT(say(0, runs("a0")).version, before);
  EXPECT_TRUE(registry_->orders(key_, "a0", before).value());
}

}  // namespace
}  // namespace ym::remote
