// What becomes of tasks, by the reports of their agents and the cluster.
#include "executor/remote/task_registry.h"

#include <gtest/gtest.h>

#include <thread>

#include "base/testing/sentences.h"
#include "executor/remote/testing/registry.h"

namespace ym::remote {
namespace {

using Barrier = TaskOrders::Barrier;

class Registry : public RegistryTest {};

TEST_F(Registry, AStartIsToldOnceAndBeforeTheEnd) {
  run_gang(1);
  say(0, runs("a0"));
  EXPECT_EQ(count<TaskIsRunning>(), 1);
  say(0, has_ended("a0", exit_code(3)));
  say(0, has_ended("a0", exit_code(3)));
  ASSERT_EQ(count<TaskHasEnded>(), 1);
  EXPECT_EQ(last<TaskHasEnded>()->exit.exit_code, 3);
}

TEST_F(Registry, AnEndImpliesItsStart) {
  registry_->launch(gang_of(1));
  say(0, waits("a"));
  let_in();
  say(0, has_ended("a", exit_code(0)));
  EXPECT_EQ(count<TaskIsRunning>(), 1);
  EXPECT_EQ(count<TaskHasEnded>(), 1);
}

TEST_F(Registry, WhatNeverBeganIsNotSaidToHaveRun) {
  registry_->launch(gang_of(1));
  say(0, waits("a"));
  let_in();
  say(0, has_ended("a", {.by = EndedBy::start_failed, .message = "no such file"}));
  EXPECT_EQ(count<TaskIsRunning>(), 0);
  EXPECT_EQ(last<TaskHasEnded>()->exit.message, "no such file");
}

// Control may stop many attempts before it launches them.
TEST_F(Registry, StopsBeforeTheirLaunchesAreRememberedUntilTheRelease) {
  constexpr std::uint64_t kMany = 20'000;
  const auto token_of = [](std::uint64_t n) { return Token{JobId{n}, 1, 3}; };
  for (std::uint64_t n = 1; n <= kMany; ++n)
    EXPECT_FALSE(registry_->stop(token_of(n), {.cause = StopCause::cancel, .grace = seconds(1)}));
  EXPECT_EQ(count<LaunchRefused>(), kMany);
  EXPECT_FALSE(registry_->launch(gang_of(1, token_of(kMany))));
  EXPECT_EQ(count<LaunchRefused>(), kMany + 1);
  EXPECT_FALSE(last<LaunchRefused>()->permanent) << "the next attempt may start";
  registry_->release(token_of(kMany));
  EXPECT_TRUE(registry_->launch(gang_of(1, token_of(kMany))));
}

TEST_F(Registry, AnEndFromTheFutureIsOfNow) {
  run_gang(1);
  auto exit = exit_code(0);
  exit.at = clock_.now() + hours(5);
  say(0, has_ended("a0", exit));
  EXPECT_EQ(last<TaskHasEnded>()->exit.at, clock_.now());
}

TEST_F(Registry, EachProgressIsReportedOnceAndBeforeTheEnd) {
  run_gang(1);
  auto report = runs("a0");
  report.progress = {{.number = 1, .at = {5}, .text = "{\"step\": 10}"},
                     {.number = 4, .at = {6}, .text = "{\"step\": 11}"}};
  EXPECT_EQ(say(0, report).progress_heard, 4);
  say(0, report);
  EXPECT_EQ(count<ProgressIsReported>(), 2);
  auto end = has_ended("a0", exit_code(0));
  end.progress = {{.number = 4, .at = {6}, .text = "{\"step\": 11}"},
                  {.number = 5, .at = {7}, .text = "{\"completed\": true}"}};
  say(0, end);
  EXPECT_EQ(count<ProgressIsReported>(), 3);
  EXPECT_TRUE(last<ProgressIsReported>()->report.completed);
  EXPECT_TRUE(std::holds_alternative<TaskHasEnded>(seen_.back().what));
}

TEST_F(Registry, ProgressThatCannotBeReadCountsForNothing) {
  run_gang(1);
  auto report = runs("a0");
  report.progress = {{.number = 1, .at = {5}, .text = "step ten"}, {.number = 2, .at = {5}, .text = "\xff"}};
  EXPECT_EQ(say(0, report).progress_heard, 2);
  EXPECT_EQ(count<ProgressIsReported>(), 0);
}

TEST_F(Registry, OnlyCheckpointsThatItCouldResumeFromAreReportedGone) {
  auto request = gang_of(1);
  const Checkpoint known{.uri = "/c/1", .step = 1, .durable_at = {1}, .attempt = 1};
  request.checkpoints = {known};
  registry_->launch(request);
  auto report = waits("a");
  report.checkpoints_gone = {known, {.uri = "/others", .step = 1, .durable_at = {1}, .attempt = 1}};
  say(0, report);
  say(0, report);
  EXPECT_EQ(count<CheckpointIsGone>(), 1);
  EXPECT_EQ(last<CheckpointIsGone>()->checkpoint, known);
}

TEST_F(Registry, TheAgentsLastWordIsWaitedFor) {
  run_gang(1);
  registry_->cluster_says(kToken, 0, Gone{.exit = exit_code(1), .message = {}});
  pass(options_.settle + Duration{-1});
  EXPECT_EQ(count<TaskHasEnded>(), 0);
  say(0, has_ended("a0", {.by = EndedBy::oom, .signal = 9, .message = "out of memory"}));
  pass(minutes(1));
  ASSERT_EQ(count<TaskHasEnded>(), 1);
  EXPECT_EQ(last<TaskHasEnded>()->exit.by, EndedBy::oom);
}

TEST_F(Registry, WithoutItTheClustersWordIsTaken) {
  run_gang(1);
  registry_->cluster_says(kToken, 0, Gone{.exit = exit_code(4), .message = {}});
  pass(options_.settle);
  ASSERT_EQ(count<TaskHasEnded>(), 1);
  EXPECT_EQ(last<TaskHasEnded>()->exit.exit_code, 4);
  EXPECT_EQ(refused(0, runs("a0")), ErrorCode::not_found) << "it was taken to be gone";
  EXPECT_TRUE(say(0, has_ended("a0", exit_code(4))).barrier == Barrier::go) << "it may still say how it ended";
}

TEST_F(Registry, AnEndWithoutAnExitIsALoss) {
  run_gang(1);
  registry_->cluster_says(kToken, 0, Gone{.exit = {}, .message = "node n0 failed"});
  pass(options_.silence);
  ASSERT_EQ(count<TaskHasEnded>(), 1);
  EXPECT_EQ(last<TaskHasEnded>()->exit.by, EndedBy::lost);
  EXPECT_EQ(last<TaskHasEnded>()->exit.message, "node n0 failed");
}

// B53: a cluster has forgotten the task and says so, but the task goes on.
TEST_F(Registry, ATaskWithAReportingAgentHasNotEnded) {
  run_gang(1);
  registry_->cluster_says(kToken, 0, Gone{.exit = {}, .message = "nobody knows it"});
  for (int i = 0; i < 10; ++i) {
    pass({options_.silence.ms / 2});
    say(0, runs("a0"));
  }
  EXPECT_EQ(count<TaskHasEnded>(), 0);
  pass(options_.silence);
  EXPECT_EQ(count<TaskHasEnded>(), 1);
}

// The agent's own code for "user code did not run here" is not user code's.
TEST_F(Registry, TheExitOfAnAgentThatRanNothingIsALoss) {
  run_gang(1);
  registry_->cluster_says(kToken, 0, Gone{.exit = exit_code(kNotRunExit), .message = {}});
  pass(options_.settle);
  EXPECT_EQ(last<TaskHasEnded>()->exit.by, EndedBy::lost);
}

// Evicted, or killed by another program.
TEST_F(Registry, AnExitThatDoesNotSayHowIsNoBetterThanNone) {
  for (const auto by : {EndedBy::lost, EndedBy::start_failed}) {
    open({});
    run_gang(1);
    registry_->cluster_says(kToken, 0, Gone{.exit = TaskExit{.by = by, .message = "evicted"}, .message = "evicted"});
    pass(options_.silence + Duration{-1});
    EXPECT_EQ(count<TaskHasEnded>(), 0) << "its agent reported recently";
    pass({1});
    ASSERT_EQ(count<TaskHasEnded>(), 1);
    EXPECT_EQ(last<TaskHasEnded>()->exit.by, EndedBy::lost) << "it was let in";
    EXPECT_EQ(last<TaskHasEnded>()->exit.message, "evicted");
  }
}

TEST_F(Registry, WhatIsGoneUnclaimedHasNotStarted) {
  registry_->launch(gang_of(2));
  registry_->cluster_says(kToken, 1, Gone{.exit = exit_code(0), .message = "no such image"});
  ASSERT_EQ(count<TaskHasEnded>(), 1);
  EXPECT_EQ(last<TaskHasEnded>()->exit.by, EndedBy::start_failed);
  ym::testing::expect_sentence(last<TaskHasEnded>()->exit.message);
  EXPECT_EQ(refused(1, waits("late")), ErrorCode::not_found);
}

TEST_F(Registry, WhatIsGoneBeforeItWasLetInHasNotStarted) {
  registry_->launch(gang_of(1));
  say(0, waits("a"));
  let_in();
  registry_->cluster_says(kToken, 0, Gone{.exit = exit_code(0), .message = {}});
  pass(options_.settle);
  EXPECT_EQ(last<TaskHasEnded>()->exit.by, EndedBy::start_failed)
      << "the launch barrier was open, but it never heard of that";
}

TEST_F(Registry, AKillInAStopIsAnEndByThatStop) {
  run_gang(1);
  registry_->stop(kToken, {.cause = StopCause::preemption, .grace = seconds(5)});
  pass(minutes(1));
  EXPECT_EQ(kills_.size(), 1U);
  registry_->cluster_says(kToken, 0, Gone{.exit = TaskExit{.by = EndedBy::signal, .signal = 9}, .message = "killed"});
  pass(options_.settle);
  EXPECT_EQ(last<TaskHasEnded>()->exit.by, EndedBy::preempted);
  EXPECT_TRUE(last<TaskHasEnded>()->exit.forced);
}

TEST_F(Registry, AnEndIsStoredWhenItIsReleased) {
  run_gang(1);
  EXPECT_FALSE(say(0, has_ended("a0", exit_code(0))).end_stored);
  pass(seconds(5));
  EXPECT_FALSE(say(0, has_ended("a0", exit_code(0))).end_stored);
  registry_->release(kToken);
  EXPECT_TRUE(say(0, has_ended("a0", exit_code(0))).end_stored);
  EXPECT_FALSE(registry_->knows(kToken));
  EXPECT_TRUE(registry_->live().empty());
}

// Its node is worth more than the second in which a crash of the server could lose the agent's report.
TEST_F(Registry, InAGangThatGoesOnAnEndedTaskLetsItsNodeGo) {
  run_gang(2);
  EXPECT_FALSE(say(0, has_ended("a0", exit_code(0))).end_stored);
  pass(seconds(1));
  EXPECT_TRUE(say(0, has_ended("a0", exit_code(0))).end_stored);
  EXPECT_FALSE(say(1, runs("a1")).end_stored);
}

TEST_F(Registry, WhatLivesOnAfterTheReleaseIsRefusedAndKilled) {
  run_gang(2);
  say(0, has_ended("a0", exit_code(0)));
  registry_->release(kToken);
  EXPECT_EQ(refused(1, runs("a1")), ErrorCode::not_found);
  EXPECT_EQ(registry_->orders({kToken.key(), 1}, "a1", 0).error().code, ErrorCode::not_found);
  pass({1});
  ASSERT_EQ(kills_.size(), 1U);
  EXPECT_EQ(kills_.front().task, 1);
  pass(minutes(5));
  EXPECT_FALSE(registry_->request(kToken)) << "forgotten";
  EXPECT_EQ(refused(0, has_ended("a0", exit_code(0))), ErrorCode::not_found);
}

// The sink may be slow, and other threads report meanwhile.
TEST_F(Registry, ObservationsOfATokenStayInOrder) {
  run_gang(1);
  std::vector<std::thread> threads;
  for (int n = 0; n < 4; ++n)
    threads.emplace_back([this] {
      for (int i = 1; i <= 200; ++i) {
        auto report = runs("a0");
        report.progress = {{.number = i, .at = {1}, .text = "{\"step\": " + std::to_string(i) + "}"}};
        say(0, report);
      }
    });
  for (auto& thread : threads) thread.join();
  std::int64_t before = 0;
  for (const auto& o : seen_) {
    const auto* said = std::get_if<ProgressIsReported>(&o.what);
    if (!said) continue;
    EXPECT_GT(*said->report.step, before);
    before = *said->report.step;
  }
  EXPECT_EQ(before, 200);
}

}  // namespace
}  // namespace ym::remote
