// A new server with the state of the last one, and executors in trouble.
#include <functional>

#include "base/testing/sentences.h"
#include "control/controller.h"
#include "control/testing/controller_fixture.h"

namespace ym {
namespace {

using testing::exits;
using testing::expect_refused;
using testing::expect_sentence;
using testing::one_node;
using testing::spec_of;

class Recovered : public testing::ControllerTest {};

TEST_F(Recovered, AnUnknownTokenIsLaunchedAgainUnderTheSameToken) {
  submit(spec_of("train"));
  schedule();
  const Token token = executor_.launched().at(0).token;
  open(one_node());  // the server restarts; the epoch moves on
  EXPECT_EQ(executor_.live_at_start(), std::vector{token});
  observe(token, TokenIsUnknown{.nothing_lives = true});
  ASSERT_EQ(executor_.launched().size(), 2U);
  EXPECT_EQ(executor_.launched().at(1).token, token);
}

TEST_F(Recovered, AStartThatNoServerSawIsOfTheTimeWhenUserCodeBegan) {
  const JobId id = submit(spec_of("train"));
  schedule();
  const Token token = executor_.launched().at(0).token;
  const Instant began = clock_.now() + seconds(5);
  clock_.advance(hours(1));
  open(one_node());
  observe(token, TaskIsRunning{0, began});
  EXPECT_EQ(attempt(id).started_at, began);
  EXPECT_EQ(job(id).started_at, began);
}

TEST_F(Recovered, AStartIsNeitherBeforeTheAdmissionNorInTheFuture) {
  const JobId first = submit(spec_of("first")), second = submit(spec_of("second"));
  schedule();
  const Instant admitted = clock_.now();
  clock_.advance(hours(1));
  observe(attempt(first).token(), TaskIsRunning{0, admitted - seconds(1)});
  EXPECT_EQ(attempt(first).started_at, admitted);
  observe(attempt(second).token(), TaskIsRunning{0, clock_.now() + hours(1)});
  EXPECT_EQ(attempt(second).started_at, clock_.now());
}

// Its launch was under way when the server was killed, and its folder is gone.
TEST_F(Recovered, AnUnknownTokenOfWhichSomethingLivesIsNotLaunchedAgain) {
  const JobId id = submit(spec_of("train"));
  schedule();
  const Token token = executor_.launched().at(0).token;
  open(one_node());
  observe(token, TokenIsUnknown{.nothing_lives = false});
  EXPECT_EQ(executor_.launched().size(), 1U);
  EXPECT_EQ(job(id).state, JobState::unreachable);
  observe(token, TokenIsUnknown{.nothing_lives = true});
  EXPECT_EQ(executor_.launched().size(), 1U) << "it ran: it is tried again as another attempt";
  EXPECT_EQ(attempt(id).ended_by, EndedBy::lost);
  EXPECT_EQ(job(id).retries.infra, 1);
}

// Its folder was moved away, for example: user code may run, and must not start a second time.
TEST_F(Recovered, AnAttemptThatTheExecutorHasLostIsNeverLaunchedAgain) {
  const JobId id = submit(spec_of("train", 4));
  schedule();
  const Token token = executor_.launched().at(0).token;
  const auto accept = [&] { observe(token, LaunchAccepted{}); };
  const auto prepare = [&] { observe(token, LaunchPreparing{}); };
  const auto run = [&] { observe(token, TaskIsRunning{0}); };
  for (const auto& advance :
       {std::function<void()>(accept), std::function<void()>(prepare), std::function<void()>(run)}) {
    advance();
    open(one_node());
    observe(token, TokenIsUnknown{});
    EXPECT_EQ(executor_.launched().size(), 1U);
    EXPECT_EQ(job(id).state, JobState::unreachable);
    expect_sentence(job(id).message);
    observe(token, TokenIsUnknown{});
    observe(token, ContactIsBack{});
    EXPECT_EQ(job(id).message, "");
  }
  EXPECT_EQ(job(id).state, JobState::running) << "found again, it goes on";
}

TEST_F(Recovered, ALostAttemptIsGivenUpByACancel) {
  const JobId id = submit(spec_of("train"));
  schedule();
  const Token token = executor_.launched().at(0).token;
  observe(token, TaskIsRunning{0});
  observe(token, TokenIsUnknown{});
  ASSERT_TRUE(execute(CancelJob{id}));
  ASSERT_EQ(executor_.stopped().size(), 1U);
  EXPECT_EQ(job(id).state, JobState::unreachable);
  observe(token, LaunchRefused{"stopped before it was launched"});
  EXPECT_EQ(ended(id).state, JobState::cancelled);
  EXPECT_EQ(attempt(id).ended_by, EndedBy::cancelled);
}

TEST_F(Recovered, ALostAttemptOfWhichNothingLivesIsTriedAgain) {
  const JobId id = submit(spec_of("train"));
  schedule();
  const Token token = executor_.launched().at(0).token;
  observe(token, TaskIsRunning{0});
  observe(token, TokenIsUnknown{.nothing_lives = true});
  EXPECT_EQ(job(id).state, JobState::queued);
  EXPECT_EQ(job(id).retries.infra, 1);
  EXPECT_EQ(attempt(id).ended_by, EndedBy::lost);
}

// The machine lost power just after the launch: the intent was stored, its result was not.
TEST_F(Recovered, WhatMayHaveRunIsNeverLaunchedAgain) {
  const JobId id = submit(spec_of("train"));
  schedule();
  const Token token = executor_.launched().at(0).token;
  open(one_node());
  observe(token, TokenIsUnknown{.nothing_lives = true, .may_have_run = true});
  EXPECT_EQ(executor_.launched().size(), 1U);
  EXPECT_EQ(attempt(id).ended_by, EndedBy::lost);
  expect_sentence(attempt(id).message);
  EXPECT_EQ(job(id).state, JobState::queued);
  EXPECT_EQ(job(id).retries.infra, 1);
  schedule();
  ASSERT_EQ(executor_.launched().size(), 1U) << "its backoff";
}

TEST_F(Recovered, WhatMayHaveRunAndMayLiveIsWaitedFor) {
  const JobId id = submit(spec_of("train"));
  schedule();
  const Token token = executor_.launched().at(0).token;
  observe(token, TokenIsUnknown{.may_have_run = true});
  EXPECT_EQ(executor_.launched().size(), 1U);
  EXPECT_EQ(job(id).state, JobState::unreachable);
  observe(token, TokenIsUnknown{.nothing_lives = true, .may_have_run = true});
  EXPECT_EQ(attempt(id).ended_by, EndedBy::lost);
}

// Some of its ends were recorded before the power went.
TEST_F(Recovered, TheEndsThatAreKnownCountBesideWhatMayHaveRun) {
  const JobId id = submit(spec_of("train"));
  schedule();
  const Token token = executor_.launched().at(0).token;
  open(one_node());
  observe(token, exits(0));
  observe(token, TokenIsUnknown{.nothing_lives = true, .may_have_run = true});
  EXPECT_EQ(ended(id).state, JobState::succeeded);
}

// An executor that refuses after it reported the start is wrong about one of the two.
TEST_F(Recovered, ARefusalOfWhatRunsFreesNothing) {
  const JobId id = submit(spec_of("train"));
  schedule();
  const Token token = executor_.launched().at(0).token;
  observe(token, TaskIsRunning{0});
  observe(token, LaunchRefused{"another launch of this attempt was found"});
  EXPECT_EQ(job(id).state, JobState::unreachable);
}

TEST_F(Recovered, ErrorsOfTheExecutorAreWaitedOutWithoutCountingThem) {
  auto spec = spec_of("train");
  spec.retry.infra_max = 0;
  const JobId id = submit(spec);
  for (int round = 0; round < 8; ++round) {
    schedule();
    ASSERT_EQ(executor_.launched().size(), static_cast<std::size_t>(round + 1));
    observe(executor_.launched().back().token, LaunchRefused{.message = "mkdir: no space left", .of_executor = true});
    ASSERT_EQ(job(id).state, JobState::queued);
    EXPECT_EQ(job(id).pending, ReasonCode::backoff);
    EXPECT_EQ(job(id).message, "mkdir: no space left");
    EXPECT_EQ(job(id).retries.launch, round + 1);
    EXPECT_EQ(job(id).retries.infra, 0);
    clock_.advance(*job(id).not_before - clock_.now());
  }
  schedule();
  observe(executor_.launched().back().token, TaskIsRunning{0});
  EXPECT_EQ(job(id).retries.launch, 0) << "a start ends the row";
}

TEST_F(Recovered, AClusterInUseCannotLeaveTheConfiguration) {
  submit(spec_of("train"));
  schedule();
  const DesiredState renamed{.clusters = {{.name = "other", .executor = "local"}}};
  Controller next(*store_, {{"other", &executor_}}, clock_, {.version = "test"},
                  [](const Committed&, const Tables&) {});
  expect_refused(next.open(renamed), ErrorCode::invalid);
  EXPECT_FALSE(controller_->stage_configuration(renamed));
  observe(executor_.launched().at(0).token, exits(0));
  EXPECT_TRUE(controller_->stage_configuration(renamed));
}

TEST_F(Recovered, ACancelledJobIsNotLaunchedAgain) {
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

TEST_F(Recovered, TheEpochGrowsWithEachStart) {
  const auto before = controller_->tables().epoch;
  open(one_node());
  EXPECT_GT(controller_->tables().epoch, before);
  clock_.set({1});
  const auto present = controller_->tables().epoch;
  open(one_node());
  EXPECT_GT(controller_->tables().epoch, present) << "also with a clock set back";
  EXPECT_EQ(executor_.epochs().back(), controller_->tables().epoch) << "executors are told";
}

// Launches after the backup left traces under their tokens.
TEST_F(Recovered, AnEpochIsNotUsedAgainOverABackup) {
  const auto backup = store_->load()->tables;
  clock_.advance(seconds(1));
  open(one_node());
  const auto lost = controller_->tables().epoch;
  store_ = std::make_unique<testing::FlakyStore>(make_memory_store());
  clock_.advance(seconds(1));
  open(one_node());
  EXPECT_LT(backup.epoch, lost);
  EXPECT_GT(controller_->tables().epoch, lost) << "though the store has never heard of that one";
}

TEST_F(Recovered, AServerThatWasReplacedStoresNothingMore) {
  const auto disk = make_memory_disk();
  store_ = std::make_unique<testing::FlakyStore>(make_memory_store(disk));
  open(one_node());
  auto first = std::move(controller_);
  auto first_store = std::exchange(store_, std::make_unique<testing::FlakyStore>(make_memory_store(disk)));
  open(one_node());
  std::optional<Result<CommandReply>> answer;
  first->stage({.principal = "alice"}, SubmitJobs{.specs = {spec_of("lost")}},
               [&](Result<CommandReply> reply) { answer = std::move(reply); });
  EXPECT_EQ(first->commit().error().code, ErrorCode::conflict);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->error().code, ErrorCode::unavailable);
  EXPECT_TRUE(execute(SubmitJobs{.specs = {spec_of("kept")}})) << "the new one goes on";
}

}  // namespace
}  // namespace ym
