// Progress, notices and preemption through the running server.
#include <numeric>

#include "control/serve/server.h"
#include "control/testing/server_fixture.h"

namespace ym {
namespace {

using testing::spec_of;

class ServerProgress : public testing::ControlServerTest {
 protected:
  Token run(const std::string& name, int gpus, std::int32_t priority = 50) {
    auto spec = spec_of(name, gpus);
    spec.priority = priority;
    const auto before = executor_.launched().size();
    const JobId id = execute(SubmitJobs{.specs = {spec}})->jobs.at(0)->id;
    EXPECT_TRUE(eventually([&] { return executor_.launched().size() > before; }));
    const Token token = executor_.launched().back().token;
    executor_.report({token, TaskIsRunning{0}});
    EXPECT_TRUE(becomes(id, JobState::running));
    return token;
  }
  std::optional<Progress> progress(const Token& token) {
    return server_->reads().job(self_, token.job)->attempts.at(0)->progress;
  }
  std::int64_t cycles() {
    const auto counted = server_->reads().counters(self_).cycles.count;
    return std::accumulate(counted.begin(), counted.end(), std::int64_t{0});
  }
};

TEST_F(ServerProgress, AReportIsStoredThoughNothingElseArrives) {
  const Token token = run("train", 1);
  ASSERT_TRUE(execute(ReportProgress{token.key(), {.step = 7}}));
  EXPECT_TRUE(eventually([&] { return progress(token) && progress(token)->step == 7; }));
  ASSERT_TRUE(execute(ReportProgress{token.key(), {.step = 8}}));
  EXPECT_TRUE(eventually([&] { return progress(token)->step == 8; }));
}

TEST_F(ServerProgress, ACleanStopStoresWhatWasSaidLast) {
  const Token token = run("train", 1);
  ASSERT_TRUE(execute(ReportProgress{token.key(), {.completed = true}}));
  ASSERT_TRUE(execute(ReportProgress{token.key(), {.step = 9}}));
  start();
  ASSERT_TRUE(progress(token));
  EXPECT_EQ(progress(token)->step, 9);
}

TEST_F(ServerProgress, ReportsDoNotMakeTheEngineDecide) {
  const Token token = run("train", 1);
  const auto before = cycles();
  constexpr int kReports = 200;
  for (int step = 1; step <= kReports; ++step) {
    const Checkpoint saved{.uri = "/ck", .step = step, .durable_at = clock_.now()};
    ASSERT_TRUE(execute(ReportProgress{token.key(), {.checkpoint = saved}}));
  }
  EXPECT_LE(cycles() - before, 5) << "the start's last news at most";
  const JobId waiting = submit("waiting", 4);
  EXPECT_TRUE(eventually([&] {
    return server_->reads().job(self_, waiting)->job->pending == ReasonCode::waiting_for_capacity;
  })) << "it has followed them";
}

TEST_F(ServerProgress, ReportsThatPourInKeepNoRequestWaiting) {
  const Token token = run("train", 1);
  auto spec = spec_of("retried", 1);
  spec.retry = {.error_max = 1, .backoff = Duration{300}};
  execute(SubmitJobs{.specs = {spec}});
  ASSERT_TRUE(eventually([&] { return executor_.launched().size() == 2; }));
  executor_.report({executor_.launched().back().token, testing::exits(1)});
  std::int64_t step = 0;
  EXPECT_TRUE(eventually([&] {
    const Checkpoint saved{.uri = "/ck", .step = ++step, .durable_at = clock_.now()};
    for (int i = 0; i < 20; ++i) executor_.report({token, ProgressIsReported{{.checkpoint = saved}}});
    return executor_.launched().size() == 3;
  })) << "its backoff is over";
}

TEST_F(ServerProgress, UserCodeIsKnownByItsToken) {
  const Token token = run("train", 1);
  const auto contact = executor_.launched().back().contact;
  ASSERT_TRUE(contact);
  EXPECT_TRUE(contact->progress_url.starts_with("http://127.0.0.1:1/api/v1/jobs/"));
  const auto caller = server_->reads().authenticate(contact->token);
  ASSERT_TRUE(caller);
  EXPECT_EQ(caller->principal, "job:" + to_string(token.job));
  EXPECT_EQ(caller->kind, CallerKind::job);
  EXPECT_EQ(caller->attempt, token.key());
  EXPECT_EQ(server_->reads().authenticate(Secret(contact->token.reveal() + "x")).error().code,
            ErrorCode::unauthenticated);
  const auto other = JobTokens::with_key(make_job_token_key())->issue(token.key(), clock_.now());
  EXPECT_EQ(server_->reads().authenticate(other).error().code, ErrorCode::unauthenticated);
}

TEST_F(ServerProgress, TokensOfWhatIsFoundAreRenewedAtTheStart) {
  const Token token = run("train", 1);
  start();
  ASSERT_TRUE(eventually([&] { return executor_.delivered().size() == 1; }));
  EXPECT_EQ(executor_.delivered().at(0).first, token);
  EXPECT_EQ(server_->reads().authenticate(executor_.delivered().at(0).second)->attempt, token.key());
}

TEST_F(ServerProgress, ABadKeyRefusesToStart) {
  const auto refused = ControlServer::start(store_, {{"lab", &executor_}}, clock_,
                                            {.api_url = "http://127.0.0.1:1/api", .job_token_key = Secret("no key")},
                                            testing::one_node());
  EXPECT_EQ(refused.error().code, ErrorCode::invalid);
}

TEST_F(ServerProgress, TheNoticeIsThereFromTheStopOn) {
  const Token token = run("train", 1);
  EXPECT_EQ(server_->notice(self_, token.key()).value(), std::nullopt);
  EXPECT_EQ(server_->notice(self_, {token.job, 2}).error().code, ErrorCode::not_found);
  EXPECT_EQ(server_->notice(self_, {JobId{999}, 1}).error().code, ErrorCode::not_found);
  std::atomic<bool> seen_when_told = false;
  const auto handle = server_->reads().listen([&](const std::vector<Event>& events) {
    for (const auto& event : events)
      if (std::holds_alternative<AttemptStopping>(event.payload))
        seen_when_told = server_->notice(self_, token.key())->has_value();
  });
  const auto before = clock_.now();
  ASSERT_TRUE(execute(CancelJob{token.job}));
  const auto notice = server_->notice(self_, token.key());
  ASSERT_TRUE(notice && *notice);
  EXPECT_EQ((*notice)->cause, StopCause::cancel);
  EXPECT_EQ((*notice)->grace, seconds(30));
  EXPECT_GE((*notice)->deadline, before + seconds(30));
  EXPECT_LE((*notice)->deadline, clock_.now() + seconds(30));
  EXPECT_TRUE(seen_when_told) << "whoever waits for the event finds it";
}

TEST_F(ServerProgress, AHigherPriorityTakesThePlaceAndIsCounted) {
  const Token low = run("low", 4, 10);
  auto spec = spec_of("high", 4);
  spec.priority = 90;
  const JobId high = execute(SubmitJobs{.specs = {spec}})->jobs.at(0)->id;
  ASSERT_TRUE(eventually([&] { return executor_.stopped().size() == 1; }));
  EXPECT_EQ(executor_.stopped().at(0).token, low);
  EXPECT_EQ(executor_.stopped().at(0).request.cause, StopCause::preemption);
  EXPECT_EQ((*server_->notice(self_, low.key()))->cause, StopCause::preemption);
  ASSERT_TRUE(eventually([&] {
    const auto why = server_->why(self_, high);
    return why->dominant && why->dominant->code() == ReasonCode::preemption_pending;
  }));
  auto preemptions = server_->reads().counters(self_).preemptions;
  EXPECT_EQ((preemptions[{"default", PreemptionCause::priority}]), 1);
  std::erase_if(preemptions, [](const auto& one) { return one.second != 0; });
  EXPECT_EQ(preemptions.size(), count_of_values<PreemptionCause>() - 1) << "the queue has each cause";
  const auto estimated = server_->reads().counters(self_).estimated_lost_gpu_ms;
  EXPECT_GT(estimated.at(PreemptionCause::priority), 0);
  EXPECT_EQ(estimated.at(PreemptionCause::reclaim), 0);
  EXPECT_EQ(server_->reads().counters(self_).lost_gpu_ms[PreemptionCause::priority], 0) << "it has not ended";
  executor_.report({low, TaskHasEnded{0, {.by = EndedBy::preempted, .exit_code = 0, .message = "preempted"}}});
  ASSERT_TRUE(becomes(high, JobState::starting));
  EXPECT_EQ(server_->reads().job(self_, low.job)->job->state, JobState::queued);
  const auto lost = server_->reads().job(self_, low.job)->attempts.at(0)->lost_gpu_ms;
  EXPECT_GE(lost, 4 * minutes(1).ms) << "a start at least";
  EXPECT_EQ(server_->reads().counters(self_).lost_gpu_ms[PreemptionCause::priority], lost);
  EXPECT_EQ(server_->reads().counters(self_).estimated_lost_gpu_ms, estimated);
}

TEST_F(ServerProgress, WorkThatIsLostIsCountedByWhatEndedIt) {
  auto spec = spec_of("train", 2);
  spec.retry = {.infra_max = 1, .error_max = 1, .backoff = seconds(0)};
  const JobId id = execute(SubmitJobs{.specs = {spec}})->jobs.at(0)->id;
  const auto launched = [&](std::size_t times) { return executor_.launched().size() == times; };
  const auto lost = [&](std::size_t attempt) {
    return server_->reads().job(self_, id)->attempts.at(attempt)->lost_gpu_ms;
  };
  ASSERT_TRUE(eventually([&] { return launched(1); }));
  executor_.report({executor_.launched().back().token, TaskIsRunning{0}});
  executor_.report({executor_.launched().back().token, testing::exits(1)});
  ASSERT_TRUE(eventually([&] { return launched(2); }));
  const Token second = executor_.launched().back().token;
  const Checkpoint saved{.uri = "/ck", .step = 5, .durable_at = clock_.now()};
  executor_.report({second, TaskIsRunning{0}});
  ASSERT_TRUE(execute(ReportProgress{second.key(), {.checkpoint = saved}}));
  executor_.report({second, TaskHasEnded{0, {.by = EndedBy::lost}}});
  ASSERT_TRUE(eventually([&] { return launched(3); }));
  EXPECT_EQ(server_->reads().counters(self_).lost_gpu_ms[RetryCause::error], lost(0));
  EXPECT_EQ(server_->reads().counters(self_).lost_gpu_ms[RetryCause::infra], lost(1));
  const auto before = server_->reads().job(self_, id)->job->checkpoints.at(0);
  executor_.report({executor_.launched().back().token, CheckpointIsGone{before}});
  ASSERT_TRUE(eventually([&] { return server_->reads().job(self_, id)->job->checkpoints.empty(); }));
  EXPECT_GE(lost(1), 2 * minutes(1).ms);
  EXPECT_EQ(server_->reads().counters(self_).lost_gpu_ms[RetryCause::infra], lost(1)) << "with what the save had kept";
  EXPECT_EQ(server_->reads().counters(self_).lost_gpu_ms[RetryCause::error], lost(0));
}

TEST_F(ServerProgress, WorkAtRiskIsThatOfRunningJobs) {
  EXPECT_TRUE(server_->reads().counters(self_).at_risk_gpu_ms.empty());
  const Token token = run("train", 2);
  EXPECT_TRUE(eventually([&] { return server_->reads().counters(self_).at_risk_gpu_ms["default"] >= 20; }));
  executor_.report({token, testing::exits(0)});
  ASSERT_TRUE(becomes(token.job, JobState::succeeded));
  EXPECT_TRUE(server_->reads().counters(self_).at_risk_gpu_ms.empty());
}

}  // namespace
}  // namespace ym
