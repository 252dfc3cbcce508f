// Claims, the launch barrier, and stops.
#include <gtest/gtest.h>

#include <array>
#include <latch>
#include <thread>

#include "executor/remote/testing/registry.h"

namespace ym::remote {
namespace {

using Barrier = TaskOrders::Barrier;

class RegistryBarrier : public RegistryTest {};

TEST_F(RegistryBarrier, AGangWaitsUntilEachTaskIsClaimedAndTheBarrierIsOpened) {
  registry_->launch(gang_of(2));
  EXPECT_EQ(say(0, waits("a0")).barrier, Barrier::wait);
  EXPECT_EQ(count<LaunchPreparing>(), 1);
  EXPECT_EQ(count<GangIsWaiting>(), 0);
  EXPECT_EQ(say(1, waits("a1")).barrier, Barrier::wait);
  ASSERT_EQ(count<GangIsWaiting>(), 1);
  EXPECT_EQ(last<GangIsWaiting>()->claims, (std::vector{waits("a0").claim, waits("a1").claim}));
  EXPECT_EQ(say(0, waits("a0")).barrier, Barrier::wait) << "control has not opened it";
  EXPECT_FALSE(registry_->barrier_is_open(kToken));
  let_in();
  EXPECT_TRUE(registry_->barrier_is_open(kToken));
  const auto orders = say(0, waits("a0"));
  EXPECT_EQ(orders.barrier, Barrier::go);
  ASSERT_TRUE(orders.launch);
  EXPECT_EQ(orders.launch->argv.front(), "train");
  EXPECT_EQ(orders.job_token, "first");
  EXPECT_EQ(count<GangIsWaiting>(), 1) << "said once";
}

TEST_F(RegistryBarrier, AClaimIsNeverHandedOn) {
  registry_->launch(gang_of(1));
  say(0, waits("a"));
  EXPECT_EQ(refused(0, waits("b")), ErrorCode::conflict);
  let_in();
  clock_.advance(hours(1));
  EXPECT_EQ(refused(0, waits("b")), ErrorCode::conflict);
  EXPECT_EQ(refused(0, runs("b")), ErrorCode::conflict);
  EXPECT_EQ(registry_->orders({kToken.key(), 0}, "b", 0).error().code, ErrorCode::conflict);
  EXPECT_EQ(say(0, waits("a")).barrier, Barrier::go);
}

TEST_F(RegistryBarrier, ASilentClaimIsTakenOverWhileTheBarrierIsClosed) {
  registry_->launch(gang_of(2));
  say(0, waits("a"));
  clock_.advance(options_.claim_timeout);
  EXPECT_FALSE(refused(0, waits("b")));
  EXPECT_EQ(refused(0, waits("a")), ErrorCode::conflict) << "it comes back too late";
  say(1, waits("c"));
  EXPECT_EQ(last<GangIsWaiting>()->claims.front().nonce, "b");
}

TEST_F(RegistryBarrier, TheAgentsAtTheOpenedBarrierHaveTheTasks) {
  registry_->launch(gang_of(1));
  say(0, waits("a"));
  const auto told = last<GangIsWaiting>()->claims;
  clock_.advance(options_.claim_timeout);
  say(0, waits("b"));
  EXPECT_EQ(last<GangIsWaiting>()->claims.front().nonce, "b");
  registry_->open_barrier(kToken, told);
  EXPECT_EQ(refused(0, waits("b")), ErrorCode::conflict);
  EXPECT_EQ(say(0, waits("a")).barrier, Barrier::go);
}

TEST_F(RegistryBarrier, OfTwoClaimantsOneIsLetInEachTime) {
  for (std::uint64_t round = 1; round <= 1'000; ++round) {
    const Token token{JobId{round}, 1, 1};
    registry_->launch(gang_of(1, token));
    std::latch ready{2};
    std::array<std::optional<Result<std::string>>, 2> answers;
    const auto claim = [&](std::size_t agent) {
      const auto report = encode(waits(agent == 0 ? "a" : "b", token));
      ready.arrive_and_wait();
      answers[agent] = registry_->report({token.key(), 0}, report);
    };
    std::thread other([&] { claim(1); });
    claim(0);
    other.join();
    ASSERT_NE(answers[0]->has_value(), answers[1]->has_value()) << round;
    const auto& refusal = answers[0]->has_value() ? *answers[1] : *answers[0];
    ASSERT_EQ(refusal.error().code, ErrorCode::conflict);
  }
}

TEST_F(RegistryBarrier, AnIncompleteGangIsReleasedInTime) {
  registry_->launch(gang_of(2));
  pass(hours(1));
  EXPECT_TRUE(kills_.empty()) << "no agent has claimed: the task still waits in its cluster";
  say(0, waits("a0"));
  pass(options_.start_timeout + seconds(-1));
  EXPECT_EQ(say(0, waits("a0")).barrier, Barrier::wait);
  pass(seconds(1));
  const auto orders = say(0, waits("a0"));
  EXPECT_EQ(orders.barrier, Barrier::release);
  EXPECT_EQ(orders.cause, StopCause::start_timeout);
  ASSERT_EQ(kills_.size(), 1U) << "what still waits for a place is taken off the cluster";
  EXPECT_EQ(kills_.front().task, 1);
  say(0, has_ended("a0", {.by = EndedBy::start_failed, .message = "released"}));
  EXPECT_EQ(last<TaskHasEnded>()->exit.by, EndedBy::start_failed);
  registry_->open_barrier(kToken, std::vector{waits("a0").claim, waits("a1").claim});
  EXPECT_EQ(say(1, waits("a1")).barrier, Barrier::release) << "closed is closed";
}

TEST_F(RegistryBarrier, AGangThatCanNeverBeWholeIsReleasedAtOnceUnlessItWasLetIn) {
  registry_->launch(gang_of(2));
  say(0, waits("a0"));
  EXPECT_TRUE(registry_->close_barrier(kToken));
  EXPECT_EQ(say(0, waits("a0")).barrier, Barrier::release);
  EXPECT_EQ(say(0, waits("a0")).cause, StopCause::start_timeout);
  EXPECT_TRUE(registry_->close_barrier(kToken)) << "it is";
  open({});
  run_gang(2);
  EXPECT_FALSE(registry_->close_barrier(kToken));
  EXPECT_EQ(say(1, runs("a1")).barrier, Barrier::go);
  open({stored(1, true)});
  EXPECT_FALSE(registry_->close_barrier(kToken)) << "a server before this one let it in";
}

TEST_F(RegistryBarrier, AStopBeforeTheBarrierClosesItForGood) {
  registry_->launch(gang_of(1));
  say(0, waits("a"));
  const auto claims = last<GangIsWaiting>()->claims;
  EXPECT_FALSE(registry_->stop(kToken, {.cause = StopCause::cancel, .grace = seconds(30)}));
  registry_->open_barrier(kToken, claims);
  const auto orders = say(0, waits("a"));
  EXPECT_EQ(orders.barrier, Barrier::release);
  EXPECT_EQ(orders.cause, StopCause::cancel);
  EXPECT_FALSE(orders.stop);
  EXPECT_EQ(refused(0, runs("a")), ErrorCode::invalid) << "it was never let in";
}

TEST_F(RegistryBarrier, AStopAfterTheBarrierIsHandedOnWithWhatIsLeftOfItsGrace) {
  run_gang(1);
  EXPECT_TRUE(registry_->stop(kToken, {.cause = StopCause::preemption, .signal = "SIGUSR1", .grace = seconds(30)}));
  clock_.advance(seconds(10));
  auto orders = say(0, runs("a0"));
  EXPECT_EQ(orders.barrier, Barrier::release) << "should it not have begun yet";
  ASSERT_TRUE(orders.stop);
  EXPECT_EQ(orders.stop->cause, StopCause::preemption);
  EXPECT_EQ(orders.stop->signal, "SIGUSR1");
  EXPECT_EQ(orders.stop->grace, seconds(20));
  registry_->stop(kToken, {.cause = StopCause::cancel, .grace = seconds(60)});
  EXPECT_EQ(say(0, runs("a0")).stop->grace, seconds(20)) << "a later one only shortens";
  registry_->stop(kToken, {.cause = StopCause::cancel, .grace = seconds(5)});
  orders = say(0, runs("a0"));
  EXPECT_EQ(orders.stop->grace, seconds(5));
  EXPECT_EQ(orders.stop->cause, StopCause::preemption) << "the first cause stays";
}

TEST_F(RegistryBarrier, WhatDoesNotEndInItsGraceIsTheClustersToKill) {
  run_gang(2);
  registry_->stop(kToken, {.cause = StopCause::cancel, .grace = seconds(30)});
  say(1, has_ended("a1", exit_code(0)));
  pass(seconds(30) + options_.stop_margin + Duration{-1});
  EXPECT_TRUE(kills_.empty());
  pass({1});
  ASSERT_EQ(kills_.size(), 1U);
  EXPECT_EQ(kills_.front().token, kToken);
  EXPECT_EQ(kills_.front().task, 0);
  pass(seconds(1));
  EXPECT_TRUE(kills_.empty()) << "just asked for";
  pass(minutes(1));
  EXPECT_EQ(kills_.size(), 1U) << "the cluster may not have heard it";
}

TEST_F(RegistryBarrier, OrdersAreGivenAgainOnlyIfTheyAreOthers) {
  registry_->launch(gang_of(1));
  const auto first = say(0, waits("a"));
  const TaskKey key{kToken.key(), 0};
  ASSERT_TRUE(registry_->orders(key, "a", first.version));
  EXPECT_FALSE(registry_->orders(key, "a", first.version).value());
  let_in();
  const auto next = registry_->orders(key, "a", first.version).value();
  ASSERT_TRUE(next);
  EXPECT_GT(decode_orders(*next)->version, first.version);
  EXPECT_EQ(decode_orders(*next)->barrier, Barrier::go);
}

TEST_F(RegistryBarrier, AWatchIsWokenWhenOrdersChange) {
  registry_->launch(gang_of(1));
  int woken = 0;
  auto handle = registry_->watch(kToken.key(), [&] { ++woken; });
  say(0, waits("a"));
  woken = 0;
  let_in();
  EXPECT_EQ(woken, 1);
  registry_->deliver(kToken, Secret{"second"});
  EXPECT_EQ(woken, 2);
  EXPECT_EQ(say(0, waits("a")).job_token, "second");
  EXPECT_EQ(registry_->request(kToken)->contact->token.reveal(), "first") << "what is submitted again shows this one";
  handle.reset();
  registry_->stop(kToken, {});
  EXPECT_EQ(woken, 2);
}

TEST_F(RegistryBarrier, LiesAndEchoesChangeNothing) {
  run_gang(1);
  const TaskKey key{kToken.key(), 0};
  EXPECT_EQ(registry_->report(key, "{\"v\":1,").error().code, ErrorCode::invalid);
  EXPECT_EQ(registry_->report({kToken.key(), 1}, encode(waits("x"))).error().code, ErrorCode::not_found);
  EXPECT_EQ(registry_->report({kToken.key(), -1}, encode(waits("x"))).error().code, ErrorCode::not_found);
  EXPECT_EQ(registry_->report({{JobId{8}, 1}, 0}, encode(waits("x"))).error().code, ErrorCode::not_found);
  EXPECT_EQ(refused(0, has_ended("x", exit_code(1))), ErrorCode::conflict);
  EXPECT_EQ(refused(0, has_ended("a0", exit_code(1), Token{JobId{7}, 1, 2})), ErrorCode::not_found)
      << "of another epoch";
  registry_->cluster_says(kToken, 5, Gone{});
  registry_->cluster_says(Token{JobId{7}, 1, 2}, 0, Gone{});
  pass(minutes(1));
  EXPECT_EQ(count<TaskHasEnded>(), 0);
}

TEST_F(RegistryBarrier, ALaunchThatCannotBeIsRefusedAndUnknown) {
  auto request = gang_of(1);
  auto spec = *request.spec;
  spec.run.words.clear();
  request.spec = std::make_shared<JobSpec>(std::move(spec));
  EXPECT_FALSE(registry_->launch(request));
  ASSERT_TRUE(last<LaunchRefused>());
  EXPECT_TRUE(last<LaunchRefused>()->permanent);
  EXPECT_FALSE(registry_->knows(kToken));
  EXPECT_TRUE(registry_->launch(gang_of(1)));
  EXPECT_TRUE(registry_->knows(kToken));
}

TEST_F(RegistryBarrier, TheSameLaunchTwiceIsTheFirst) {
  run_gang(1);
  EXPECT_TRUE(registry_->launch(gang_of(1)));
  EXPECT_TRUE(registry_->barrier_is_open(kToken));
  EXPECT_EQ(refused(0, waits("b")), ErrorCode::conflict);
}

}  // namespace
}  // namespace ym::remote
