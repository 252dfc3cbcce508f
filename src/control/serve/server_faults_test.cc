// The server with a store that fails, or that another server has taken over.
#include "base/testing/sentences.h"
#include "control/serve/server.h"
#include "control/testing/server_fixture.h"

namespace ym {
namespace {

using testing::expect_error;
using testing::FlakyStore;
using testing::one_node;
using testing::spec_of;

class ServerFaults : public testing::ControlServerTest {};

TEST_F(ServerFaults, APlanLostToAFailedCommitIsDecidedAgain) {
  const JobId blocker = submit("blocker", 4);
  ASSERT_TRUE(becomes(blocker, JobState::starting));
  store_.fail_next(3);
  ASSERT_TRUE(eventually([&] { return execute(SubmitJobs{.specs = {spec_of("next")}}).has_value(); }));
  executor_.report({executor_.launched().at(0).token, testing::exits(0)});
  EXPECT_TRUE(eventually([&] { return executor_.launched().size() == 2; }));
}

// A disk that stays full does not cause a loop of decisions, loads and log lines.
TEST_F(ServerFaults, CommitsThatFailAreTriedWithPauses) {
  const JobId blocker = submit("blocker", 4);
  ASSERT_TRUE(becomes(blocker, JobState::starting));
  const JobId waiting = submit("waiting", 4);
  ASSERT_TRUE(eventually(
      [&] { return server_->reads().job(self_, waiting)->job->pending == ReasonCode::waiting_for_capacity; }));
  store_.fail_next(1'000'000);
  executor_.report({executor_.launched().at(0).token, testing::exits(0)});
  ASSERT_TRUE(eventually([&] { return server_->reads().counters(self_).failed_commits >= 3; }));
  EXPECT_TRUE(server_->reads().not_ready());
  const auto tries = store_.commits();
  const auto refuse = [&] {
    const auto answer = execute(SubmitJobs{.specs = {spec_of("more")}});
    return answer ? Error{} : answer.error();
  };
  const Error first = refuse();
  expect_error(first, ErrorCode::unavailable, "");
  for (int i = 1; i < 100; ++i) EXPECT_EQ(refuse(), first);
  EXPECT_LE(store_.commits() - tries, 3) << "answered from memory";
  store_.fail_next(0);
  EXPECT_TRUE(becomes(blocker, JobState::succeeded)) << "what the executor said was kept";
  EXPECT_TRUE(becomes(waiting, JobState::starting)) << "and what follows is decided";
  EXPECT_TRUE(eventually([&] { return !server_->reads().not_ready(); }));
  EXPECT_LT(server_->reads().counters(self_).failed_commits, 12);
}

TEST_F(ServerFaults, WhatIsReportedMeanwhileIsKeptWithoutReadingTheTablesAgain) {
  const JobId id = submit("train");
  ASSERT_TRUE(becomes(id, JobState::starting));
  const Token token = executor_.launched().at(0).token;
  executor_.report({token, TaskIsRunning{0}});
  ASSERT_TRUE(becomes(id, JobState::running));
  store_.fail_next(1'000'000);
  const auto loads = store_.loads();
  for (std::int64_t tries = 1; tries <= 4; ++tries) {
    executor_.report({token, ContactIsLost{"no answer"}});
    executor_.report({token, ProgressIsReported{{.step = tries}}});
    executor_.report({token, ContactIsBack{}});
    executor_.report({token, ProgressIsReported{{.checkpoint = Checkpoint{.uri = "/ck", .step = tries}}}});
    ASSERT_TRUE(eventually([&] { return server_->reads().counters(self_).failed_commits >= tries; }));
  }
  EXPECT_EQ(store_.loads() - loads, 1) << "only to take back what was staged first";
  store_.fail_next(0);
  ASSERT_TRUE(eventually([&] { return !server_->reads().job(self_, id)->job->checkpoints.empty(); }));
  EXPECT_EQ(server_->reads().job(self_, id)->job->checkpoints.front().step, 4);
  EXPECT_EQ(server_->reads().job(self_, id)->job->state, JobState::running);
}

TEST_F(ServerFaults, AConfigurationIsKeptOverAFailedCommit) {
  store_.fail_next(2);
  auto desired = one_node();
  desired.nodes.push_back(testing::node("n2", 4));
  server_->reconfigure(desired, {});
  EXPECT_TRUE(eventually([&] { return server_->reads().nodes(self_).size() == 2; }));
}

// A database that is away fails both commits and reads.
TEST_F(ServerFaults, AStoreThatIsAwayIsWaitedFor) {
  const JobId id = submit("train");
  ASSERT_TRUE(becomes(id, JobState::starting));
  const Token token = executor_.launched().at(0).token;
  store_.be_away(true);
  EXPECT_EQ(execute(SubmitJobs{.specs = {spec_of("lost")}}).error().code, ErrorCode::unavailable);
  executor_.report({token, TaskIsRunning{0}});
  executor_.report({token, testing::exits(0)});
  ASSERT_TRUE(eventually([&] { return server_->reads().counters(self_).failed_commits >= 3; }));
  EXPECT_TRUE(server_->reads().not_ready());
  EXPECT_EQ(server_->reads().job(self_, id)->job->state, JobState::starting) << "what was not stored has not happened";
  EXPECT_EQ(execute(SubmitJobs{.specs = {spec_of("lost too")}}).error().code, ErrorCode::unavailable);
  store_.be_away(false);
  EXPECT_TRUE(becomes(id, JobState::succeeded)) << "what the executor said was kept";
  EXPECT_TRUE(eventually([&] { return !server_->reads().not_ready(); }));
  EXPECT_TRUE(becomes(submit("next"), JobState::starting));
  EXPECT_EQ(server_->reads().jobs(self_, {.name = "lost"}, 10)->items.size(), 0U);
}

// The one batch waits, because its result is not known yet. All other requests get an error.
TEST_F(ServerFaults, WhileACommitHangsOthersAreToldAtOnce) {
  store_.hold(true);
  std::promise<Result<CommandReply>> first;
  server_->execute({.principal = "alice"}, SubmitJobs{.specs = {spec_of("first")}},
                   [&](Result<CommandReply> reply) { first.set_value(std::move(reply)); });
  ASSERT_TRUE(eventually([&] { return server_->reads().not_ready().has_value(); }));
  const auto refused = execute(SubmitJobs{.specs = {spec_of("second")}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::unavailable);
  store_.hold(false);
  EXPECT_TRUE(first.get_future().get());
  EXPECT_TRUE(eventually([&] { return !server_->reads().not_ready(); }));
}

TEST_F(ServerFaults, OneThatWasReplacedActsNoMore) {
  const auto disk = make_memory_disk();
  FlakyStore first(make_memory_store(disk)), second(make_memory_store(disk));
  std::promise<Error> replaced;
  auto old = ControlServer::start(
      first, {{"lab", &executor_}}, clock_,
      {.controller = {.version = "test"}, .on_replaced = [&](const Error& error) { replaced.set_value(error); }},
      one_node());
  ASSERT_TRUE(old);
  auto next =
      ControlServer::start(second, {{"lab", &executor_}}, clock_, {.controller = {.version = "test"}}, one_node());
  ASSERT_TRUE(next);
  for (int i = 0; i < 2; ++i) {
    std::promise<Result<CommandReply>> answered;
    (*old)->execute({.principal = "alice"}, SubmitJobs{.specs = {spec_of("late")}},
                    [&](Result<CommandReply> reply) { answered.set_value(std::move(reply)); });
    EXPECT_EQ(answered.get_future().get().error().code, ErrorCode::unavailable);
  }
  EXPECT_EQ(replaced.get_future().get().code, ErrorCode::conflict);
  EXPECT_TRUE((*old)->reads().not_ready());
}

TEST_F(ServerFaults, WhyShowsWhatKeepsTheExecutorFromLaunching) {
  const JobId id = submit("train");
  ASSERT_TRUE(eventually([&] { return executor_.launched().size() == 1; }));
  executor_.report({executor_.launched().at(0).token, LaunchRefused{.message = "no space left", .of_executor = true}});
  ASSERT_TRUE(eventually([&] {
    const auto why = server_->why(self_, id);
    return why && why->dominant && why->dominant->code() == ReasonCode::backoff && why->message == "no space left";
  }));
}

}  // namespace
}  // namespace ym
