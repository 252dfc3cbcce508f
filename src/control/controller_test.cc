// From commands to effects, and from reports of executors to the state.
#include "control/controller.h"

#include <functional>
#include <set>

#include "base/testing/sentences.h"
#include "control/testing/controller_fixture.h"

namespace ym {
namespace {

using testing::exits;
using testing::expect_refused;
using testing::expect_sentence;
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

TEST_F(Core, EveryTransitionHasReasonActorAndTime) {
  auto spec = spec_of("train");
  spec.retry = {.infra_max = 1, .error_max = 1, .backoff = seconds(0)};
  const JobId first = submit(spec);
  schedule();
  for (const TaskExit& exit : {TaskExit{.by = EndedBy::lost}, TaskExit{.by = EndedBy::exit, .exit_code = 1},
                               TaskExit{.by = EndedBy::signal, .signal = 9}}) {
    const Token token = executor_.launched().back().token;
    observe(token, LaunchAccepted{});
    observe(token, LaunchPreparing{});
    observe(token, TaskIsRunning{0});
    observe(token, ContactIsLost{});
    observe(token, ContactIsBack{});
    observe(token, TaskHasEnded{0, exit});
    schedule();
  }
  EXPECT_EQ(ended(first).state, JobState::failed);
  const JobId second = submit(spec);
  ASSERT_TRUE(execute(HoldJob{second}));
  ASSERT_TRUE(execute(ReleaseJob{second}));
  schedule();
  ASSERT_TRUE(execute(CancelJob{second}));
  std::set<std::string_view> types;
  for (const auto& event : events_) {
    types.insert(type_name(event.payload));
    EXPECT_FALSE(event.actor.empty()) << type_name(event.payload);
    EXPECT_FALSE(event.reason.empty()) << type_name(event.payload);
    EXPECT_GT(event.time.ms, 0);
  }
  EXPECT_GE(types.size(), 18U) << "this test is worth as much as it sees transitions";
}

TEST_F(Core, ReasonsNameTheActorAndTheCause) {
  const JobId id = submit(spec_of("train"));
  schedule();
  const Token token = executor_.launched().at(0).token;
  observe(token, TaskIsRunning{0});
  ASSERT_TRUE(execute(CancelJob{id}));
  observe(token, TaskHasEnded{0, {.by = EndedBy::cancelled, .signal = 15}});
  std::map<std::string_view, std::string> reasons;
  for (const auto& event : events_) reasons[type_name(event.payload)] = event.reason;
  for (const auto* event : {"job.submitted", "attempt.admitted", "job.cancel_requested", "attempt.stopping",
                            "attempt.ended", "job.finished"})
    expect_sentence(reasons[event]);
}

TEST_F(Core, EffectsWaitForTheCommit) {
  submit(spec_of("train"));
  auto state = engine::State::load(controller_->tables());
  controller_->stage(engine::decide(state, {}, clock_.now()));
  EXPECT_TRUE(executor_.launched().empty());
  ASSERT_TRUE(controller_->commit());
  EXPECT_EQ(executor_.launched().size(), 1U);
}

TEST_F(Core, AStalePlanIsCheckedAgainstThePresent) {
  const JobId id = submit(spec_of("train"));
  auto state = engine::State::load(controller_->tables());
  const auto plan = engine::decide(state, {}, clock_.now());
  ASSERT_TRUE(execute(CancelJob{id}));
  controller_->stage(plan);
  ASSERT_TRUE(controller_->commit());
  EXPECT_TRUE(executor_.launched().empty()) << "a cancelled job never starts";
}

TEST_F(Core, TheSamePlanTwiceAdmitsOnce) {
  submit(spec_of("train"));
  auto state = engine::State::load(controller_->tables());
  const auto plan = engine::decide(state, {}, clock_.now());
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

TEST_F(Core, SpecsOfOneOwnerAreBounded) {
  auto spec = spec_of("fat", 4);
  spec.env["BULK"] = std::string(900'000, 'b');
  std::vector<JobId> ids;
  Result<CommandReply> answer = execute(SubmitJobs{.specs = {spec}});
  for (; answer; answer = execute(SubmitJobs{.specs = {spec}})) ids.push_back(answer->jobs.at(0)->id);
  EXPECT_EQ(ids.size(), 74U);
  expect_refused(answer, ErrorCode::rate_limited);
  auto shared = spec_of("array");
  shared.array = 5'000;
  EXPECT_TRUE(execute(SubmitJobs{.specs = {shared}})) << "members of an array share one spec";
  EXPECT_TRUE(execute(SubmitJobs{.specs = {spec_of("plain")}})) << "of plain ones the number alone is limited";
  ASSERT_TRUE(execute(CancelJob{ids[0]}));
  EXPECT_TRUE(execute(SubmitJobs{.specs = {spec}}));
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
  controller_->stage(engine::decide(state, {}, clock_.now()));
  EXPECT_FALSE(controller_->commit());
  EXPECT_TRUE(executor_.launched().empty());
}

}  // namespace
}  // namespace ym
