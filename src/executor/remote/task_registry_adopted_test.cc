// Attempts that were found again after the state was set back, and unknown launches.
#include <gtest/gtest.h>

#include "executor/remote/testing/registry.h"

namespace ym::remote {
namespace {

using Barrier = TaskOrders::Barrier;

class RegistryAdopts : public RegistryTest {
 protected:
  void adopt(int tasks, TaskState state = TaskState::waiting) {
    auto live = stored(tasks, false, state);
    live.adopted = true;
    open({live});
  }
  const TaskKey key_{kToken.key(), 0};
};

TEST_F(RegistryAdopts, AnAgentThatSaysThatItRunsIsBelieved) {
  adopt(1);
  auto report = runs("a0");
  report.progress = {{.number = 1, .at = {1}, .text = "{\"step\": 3}"}};
  EXPECT_EQ(say(0, report).progress_heard, 1);
  EXPECT_EQ(count<LaunchAccepted>(), 1);
  EXPECT_EQ(count<TaskIsRunning>(), 1);
  EXPECT_EQ(count<ProgressIsReported>(), 1);
  EXPECT_EQ(count<ContactIsBack>(), 1);
  EXPECT_EQ(refused(0, runs("b")), ErrorCode::conflict) << "the first has it";
  EXPECT_EQ(refused(0, waits("b")), ErrorCode::conflict);
  EXPECT_EQ(count<GangIsWaiting>(), 0);
  say(0, has_ended("a0", exit_code(3)));
  EXPECT_EQ(last<TaskHasEnded>()->exit.exit_code, 3);
  registry_->release(kToken);
  EXPECT_TRUE(say(0, has_ended("a0", exit_code(3))).end_stored);
}

TEST_F(RegistryAdopts, AnAgentThatSaysHowItEndedIsBelieved) {
  adopt(1);
  say(0, has_ended("a0", exit_code(0)));
  EXPECT_EQ(last<TaskHasEnded>()->exit.exit_code, 0);
  EXPECT_EQ(count<TaskIsRunning>(), 1);
}

TEST_F(RegistryAdopts, AWaitingAgentIsSentAwayAndHasEndedAsAFailedStart) {
  adopt(2);
  say(0, runs("a0"));
  EXPECT_EQ(say(1, waits("a1")).barrier, Barrier::release);
  EXPECT_FALSE(registry_->orders({kToken.key(), 1}, "a1", 0).value()->contains("\"launch\""));
  registry_->open_barrier(kToken, std::vector{waits("a0").claim, waits("a1").claim});
  EXPECT_EQ(say(1, waits("a1")).barrier, Barrier::release) << "it stays closed";
  say(1, has_ended("a1", {.by = EndedBy::start_failed}));
  EXPECT_EQ(last<TaskHasEnded>()->task, 1);
  EXPECT_EQ(last<TaskHasEnded>()->exit.by, EndedBy::start_failed);
  EXPECT_EQ(count<TaskHasEnded>(), 1) << "the gang's other task is control's to stop";
  EXPECT_FALSE(say(0, runs("a0")).stop);
}

// It was let in just before the earlier server died.
TEST_F(RegistryAdopts, AnAgentThatWaitedAndThenSaysThatItRunsDidNotListen) {
  adopt(1);
  EXPECT_EQ(say(0, waits("a0")).barrier, Barrier::release);
  say(0, runs("a0"));
  EXPECT_EQ(count<TaskIsRunning>(), 1);
}

TEST_F(RegistryAdopts, ARunningAgentTakesTheTaskFromOneThatOnlyWaits) {
  adopt(1);
  say(0, waits("b"));
  EXPECT_EQ(refused(0, waits("c")), ErrorCode::conflict);
  say(0, runs("a0"));
  EXPECT_EQ(refused(0, waits("b")), ErrorCode::conflict);
  EXPECT_EQ(refused(0, has_ended("b", {.by = EndedBy::start_failed})), ErrorCode::conflict);
  EXPECT_EQ(count<TaskHasEnded>(), 0);
}

TEST_F(RegistryAdopts, StopsReachWhatRuns) {
  adopt(1);
  say(0, runs("a0"));
  EXPECT_TRUE(registry_->stop(kToken, {.cause = StopCause::cancel, .signal = "SIGUSR1", .grace = seconds(30)}));
  const auto orders = say(0, runs("a0"));
  ASSERT_TRUE(orders.stop);
  EXPECT_EQ(orders.stop->signal, "SIGUSR1");
  registry_->deliver(kToken, Secret{"second"});
  EXPECT_EQ(say(0, runs("a0")).job_token, "second");
  pass(seconds(30) + options_.stop_margin);
  EXPECT_EQ(kills_.size(), 1U);
}

TEST_F(RegistryAdopts, AStopThatComesBeforeTheFirstReportTakesNothingOffTheCluster) {
  adopt(1);
  EXPECT_TRUE(registry_->barrier_is_open(kToken));
  EXPECT_TRUE(registry_->stop(kToken, {.cause = StopCause::cancel, .grace = seconds(30)})) << "user code may run";
  EXPECT_FALSE(registry_->close_barrier(kToken));
  EXPECT_TRUE(say(0, runs("a0")).stop);
}

TEST_F(RegistryAdopts, TheClustersWordOfItsEndIsTaken) {
  adopt(1);
  registry_->cluster_says(kToken, 0, Gone{.exit = exit_code(4), .message = {}});
  EXPECT_EQ(last<TaskHasEnded>()->exit.exit_code, 4);
}

// Of a version that also exited with 0 when it was not let in.
TEST_F(RegistryAdopts, AnOldAgentsGoodEndIsNotTakenFromTheClusterAlone) {
  const auto ends_with = [&](int code, bool old) {
    registry_->cluster_says(kToken, 0, Gone{.exit = exit_code(code), .message = "Slurm job 7", .of_old_agent = old});
    pass(options_.silence + options_.settle);
    return last<TaskHasEnded>()->exit;
  };
  adopt(1);
  EXPECT_EQ(ends_with(0, true).by, EndedBy::lost);
  adopt(1);
  EXPECT_EQ(ends_with(4, true).exit_code, 4) << "user code's, or the agent's own failure";
  adopt(1);
  EXPECT_EQ(ends_with(0, false).by, EndedBy::exit);
  adopt(1);
  say(0, runs("a0"));
  EXPECT_EQ(ends_with(0, true).by, EndedBy::exit) << "it said that it ran";
  adopt(1, TaskState::running);
  EXPECT_EQ(ends_with(0, true).by, EndedBy::exit) << "it said so to a server before this one";
}

TEST_F(RegistryAdopts, BeliefHoldsOverALaterRestart) {
  adopt(2, TaskState::running);
  EXPECT_EQ(refused(0, waits("b")), ErrorCode::conflict) << "the task began, so its agent does not wait";
  say(0, runs("a0"));
  say(1, runs("a1"));
  EXPECT_EQ(count<TaskIsRunning>(), 2);
}

TEST_F(RegistryAdopts, AnAttemptWithoutATraceIsUnknown) {
  adopt(1);
  registry_->cluster_knows_nothing(kToken);
  pass(options_.silence + Duration{-1});
  EXPECT_EQ(count<TokenIsUnknown>(), 0);
  pass({1});
  EXPECT_EQ(count<TokenIsUnknown>(), 1);
}

class RegistryLetsBe : public RegistryTest {
 protected:
  void SetUp() override {
    registry_ = std::make_unique<TaskRegistry>(clock_, options_);
    registry_->know_lost([this](const Token& token) {
      ++asked_;
      return lost_ && token == kToken;
    });
    registry_->start([this](Observation o) { take(std::move(o)); }, {});
  }
  const TaskKey key_{kToken.key(), 0};
  bool lost_ = true;
  int asked_ = 0;
};

TEST_F(RegistryLetsBe, WhatRunsOfALaunchThatIsLost) {
  for (int n = 0; n < 3; ++n) EXPECT_EQ(refused(0, runs("a0")), ErrorCode::unavailable);
  EXPECT_EQ(refused(0, has_ended("a0", exit_code(0))), ErrorCode::unavailable);
  EXPECT_EQ(registry_->orders(key_, "a0", 0).error().code, ErrorCode::unavailable);
  EXPECT_EQ(asked_, 1) << "the store is not asked each time";
  EXPECT_TRUE(seen_.empty());
}

TEST_F(RegistryLetsBe, ButSendsAwayWaitingAgents) {
  EXPECT_EQ(say(0, waits("a0")).barrier, Barrier::release);
  EXPECT_TRUE(say(0, has_ended("a0", {.by = EndedBy::start_failed})).end_stored);
}

TEST_F(RegistryLetsBe, ALaunchOfTheSameNumberBesideIt) {
  const Token later{kToken.job, kToken.attempt, kToken.epoch + 1};
  registry_->launch(gang_of(1, later));
  const auto claimed = registry_->report(key_, encode(waits("b0", later)));
  ASSERT_TRUE(claimed);
  EXPECT_EQ(registry_->orders(key_, "a0", 0).error().code, ErrorCode::unavailable) << "its report names the launch";
  EXPECT_EQ(refused(0, runs("a0")), ErrorCode::unavailable);
  EXPECT_EQ(decode_orders(*claimed)->barrier, Barrier::wait);
}

TEST_F(RegistryLetsBe, NothingThatIsOnlyOver) {
  lost_ = false;
  EXPECT_EQ(refused(0, runs("a0")), ErrorCode::not_found);
  EXPECT_EQ(registry_->orders(key_, "a0", 0).error().code, ErrorCode::unavailable) << "report first";
  lost_ = true;
  clock_.advance(minutes(1));
  EXPECT_EQ(refused(0, runs("a0")), ErrorCode::unavailable) << "what could not be looked up is looked up again";
  EXPECT_EQ(refused(0, runs("a0", {kToken.job, 9, kToken.epoch})), ErrorCode::not_found) << "another's token";
}

}  // namespace
}  // namespace ym::remote
