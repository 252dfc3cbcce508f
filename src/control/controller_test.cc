// From a command to its effects, and from what an executor reports back to the state.
#include "control/controller.h"

#include "control/testing/controller_fixture.h"

namespace ym {
namespace {

using testing::exits;
using testing::node;
using testing::one_node;
using testing::spec_of;

class Core : public testing::ControllerTest {};

TEST_F(Core, AJobGoesFromSubmitToSuccess) {
  const JobId id = submit(spec_of("train"));
  EXPECT_EQ(job(id).state, JobState::queued);
  schedule();
  EXPECT_EQ(job(id).state, JobState::starting);
  ASSERT_EQ(executor_.launched().size(), 1U);
  const Token token = executor_.launched().at(0).token;
  EXPECT_EQ(token.epoch, controller_->tables().epoch);
  observe(token, LaunchAccepted{});
  observe(token, TaskIsRunning{0});
  EXPECT_EQ(job(id).state, JobState::running);
  observe(token, exits(0));
  EXPECT_EQ(ended(id).state, JobState::succeeded);
  EXPECT_EQ(attempt(id).ended_by, EndedBy::exit);
  EXPECT_EQ(executor_.released(), std::vector{token});
  EXPECT_FALSE(controller_->tables().jobs.contains(id)) << "jobs that have ended leave memory";
}

TEST_F(Core, EveryTransitionHasActorAndTime) {
  submit(spec_of("train"));
  schedule();
  for (const auto& event : events_) {
    EXPECT_FALSE(event.actor.empty());
    EXPECT_GT(event.time.ms, 0);
  }
}

TEST_F(Core, EffectsWaitForTheCommit) {
  submit(spec_of("train"));
  auto state = engine::State::load(controller_->tables());
  controller_->stage(engine::decide(state, {}, clock_.now(), 0));
  EXPECT_TRUE(executor_.launched().empty());
  ASSERT_TRUE(controller_->commit());
  EXPECT_EQ(executor_.launched().size(), 1U);
}

TEST_F(Core, AStalePlanIsCheckedAgainstThePresent) {
  const JobId id = submit(spec_of("train"));
  auto state = engine::State::load(controller_->tables());
  const auto plan = engine::decide(state, {}, clock_.now(), 0);
  ASSERT_TRUE(execute(CancelJob{id}));
  controller_->stage(plan);
  ASSERT_TRUE(controller_->commit());
  EXPECT_TRUE(executor_.launched().empty()) << "a cancelled job never starts";
}

TEST_F(Core, TheSamePlanTwiceAdmitsOnce) {
  submit(spec_of("train"));
  auto state = engine::State::load(controller_->tables());
  const auto plan = engine::decide(state, {}, clock_.now(), 0);
  controller_->stage(plan);
  controller_->stage(plan);
  ASSERT_TRUE(controller_->commit());
  EXPECT_EQ(executor_.launched().size(), 1U);
}

TEST_F(Core, AnErrorIsRetriedAfterItsBackoff) {
  auto spec = spec_of("train");
  spec.retry = {.error_max = 1, .backoff = seconds(5)};
  const JobId id = submit(spec);
  schedule();
  observe(executor_.launched().at(0).token, exits(1));
  EXPECT_EQ(job(id).state, JobState::queued);
  EXPECT_EQ(job(id).pending, ReasonCode::backoff);
  schedule();
  EXPECT_EQ(job(id).state, JobState::queued);
  clock_.advance(seconds(5));
  schedule();
  ASSERT_EQ(executor_.launched().size(), 2U);
  EXPECT_EQ(executor_.launched().at(1).token.attempt, 2);
  observe(executor_.launched().at(1).token, exits(1));
  EXPECT_EQ(ended(id).state, JobState::failed);
}

TEST_F(Core, OneMembersFailureStopsTheGang) {
  open({.clusters = {{.name = "lab", .executor = "local"}}, .nodes = {node("n1", 4), node("n2", 4)}});
  auto spec = spec_of("gang", 4);
  spec.nodes = 2;
  const JobId id = submit(spec);
  schedule();
  const Token token = executor_.launched().at(0).token;
  observe(token, TaskIsRunning{0});
  EXPECT_EQ(job(id).state, JobState::starting) << "not running before every task is";
  observe(token, TaskIsRunning{1});
  observe(token, exits(7, 1));
  EXPECT_EQ(job(id).state, JobState::stopping);
  EXPECT_EQ(executor_.stopped().back().request.cause, StopCause::gang_failure);
  observe(token, TaskHasEnded{0, {.by = EndedBy::signal, .signal = 15, .at = {1}}});
  EXPECT_EQ(ended(id).state, JobState::failed);
}

TEST_F(Core, LostContactFreesNothing) {
  const JobId id = submit(spec_of("train", 4));
  const JobId next = submit(spec_of("next", 1));
  schedule();
  const Token token = executor_.launched().at(0).token;
  observe(token, TaskIsRunning{0});
  observe(token, ContactIsLost{"no answer"});
  EXPECT_EQ(job(id).state, JobState::unreachable);
  schedule();
  EXPECT_EQ(job(next).state, JobState::queued);
  observe(token, ContactIsBack{});
  EXPECT_EQ(job(id).state, JobState::running);
}

TEST_F(Core, AnObservationUnderAnotherEpochIsIgnored) {
  const JobId id = submit(spec_of("train"));
  schedule();
  Token token = executor_.launched().at(0).token;
  token.epoch += 1;
  observe(token, exits(0));
  EXPECT_EQ(job(id).state, JobState::starting);
}

TEST_F(Core, AnUnknownTokenIsLaunchedAgainUnderTheSameToken) {
  submit(spec_of("train"));
  schedule();
  const Token token = executor_.launched().at(0).token;
  open(one_node());  // the server restarts; the epoch moves on
  EXPECT_EQ(executor_.live_at_start(), std::vector{token});
  observe(token, TokenIsUnknown{});
  ASSERT_EQ(executor_.launched().size(), 2U);
  EXPECT_EQ(executor_.launched().at(1).token, token);
}

TEST_F(Core, ACancelledJobIsNotLaunchedAgain) {
  const JobId id = submit(spec_of("train"));
  schedule();
  const Token token = executor_.launched().at(0).token;
  ASSERT_TRUE(execute(CancelJob{id}));
  open(one_node());
  EXPECT_EQ(executor_.stopped().size(), 2U) << "the stop is said again after a restart";
  observe(token, TokenIsUnknown{});
  EXPECT_EQ(executor_.launched().size(), 1U);
  EXPECT_EQ(ended(id).state, JobState::cancelled);
}

TEST_F(Core, TheEpochGrowsWithEachStart) {
  const auto before = controller_->tables().epoch;
  open(one_node());
  EXPECT_EQ(controller_->tables().epoch, before + 1);
}

TEST_F(Core, AClockSetBackDoesNotTurnTimeBack) {
  submit(spec_of("a"));
  clock_.set({1});
  submit(spec_of("b"));
  EXPECT_GE(events_.back().time, events_.front().time);
}

TEST_F(Core, ACommitThatFailsChangesNothingAndSaysSo) {
  submit(spec_of("before"));
  store_->fail_next(1);
  const auto refused = execute(SubmitJobs{.specs = {spec_of("lost")}, .idempotency_key = "k", .request_hash = "h"});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::unavailable);
  EXPECT_TRUE(refused.error().retryable);
  EXPECT_EQ(controller_->tables().jobs.size(), 1U);
  const auto again = execute(SubmitJobs{.specs = {spec_of("lost")}, .idempotency_key = "k", .request_hash = "h"});
  ASSERT_TRUE(again);
  EXPECT_FALSE(again->replayed) << "the first one made nothing";
}

TEST_F(Core, WhatAnExecutorSaidOutlivesAFailedCommit) {
  const JobId id = submit(spec_of("train"));
  schedule();
  const Token token = executor_.launched().at(0).token;
  observe(token, TaskIsRunning{0});
  store_->fail_next(1);
  controller_->stage(Observation{token, exits(0)});
  EXPECT_FALSE(controller_->commit());
  EXPECT_EQ(ended(id).state, JobState::running) << "as the store has it";
  ASSERT_TRUE(controller_->has_staged());
  ASSERT_TRUE(controller_->commit());
  EXPECT_EQ(ended(id).state, JobState::succeeded);
}

TEST_F(Core, NothingIsLaunchedByAPlanThatWasNotStored) {
  submit(spec_of("train"));
  store_->fail_next(1);
  auto state = engine::State::load(controller_->tables());
  controller_->stage(engine::decide(state, {}, clock_.now(), 0));
  EXPECT_FALSE(controller_->commit());
  EXPECT_TRUE(executor_.launched().empty());
}

}  // namespace
}  // namespace ym
