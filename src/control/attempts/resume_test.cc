// The next attempt: what it resumes from, how it reaches the server, how it stays known.
#include "base/testing/sentences.h"
#include "control/controller.h"
#include "control/testing/controller_fixture.h"

namespace ym {
namespace {

using testing::exits;
using testing::expect_sentence;
using testing::one_node;
using testing::spec_of;

class Resuming : public testing::ControllerTest {
 protected:
  void SetUp() override {
    options_.contacts = *JobContacts::make("http://127.0.0.1:8470/api", key_);
    open(one_node());
  }

  Token start(JobSpec spec) {
    submit(std::move(spec));
    schedule();
    const Token token = executor_.launched().back().token;
    observe(token, TaskIsRunning{0});
    return token;
  }
  void save(const Token& token, std::int64_t step) {
    clock_.advance(minutes(1));
    ASSERT_TRUE(execute(ReportProgress{
        token.key(),
        {.checkpoint = Checkpoint{.uri = "/ck/" + std::to_string(step), .step = step, .durable_at = clock_.now()}}}));
  }
  void run_due() {
    controller_->do_due();
    ASSERT_TRUE(controller_->commit());
  }
  JobSpec retrying() {
    auto spec = spec_of("train");
    spec.retry = {.error_max = 5, .backoff = seconds(0)};
    return spec;
  }

  const Secret key_ = make_job_token_key();
  const JobTokens tokens_ = *JobTokens::with_key(key_);
};

TEST_F(Resuming, TheNextAttemptGetsTheNewestCheckpointsNewestFirst) {
  const Token first = start(retrying());
  EXPECT_TRUE(executor_.launched().back().checkpoints.empty());
  for (const int step : {10, 20, 30, 40}) save(first, step);
  observe(first, exits(1));
  schedule();
  const LaunchRequest launch = executor_.launched().back();
  ASSERT_EQ(launch.checkpoints.size(), 3U);
  EXPECT_EQ(launch.checkpoints.at(0).uri, "/ck/40");
  EXPECT_EQ(launch.checkpoints.at(2).uri, "/ck/20");
  EXPECT_EQ(attempt(first.job).resumes_from, launch.checkpoints.at(0));
  open(one_node());
  observe(launch.token, TokenIsUnknown{.nothing_lives = true});
  EXPECT_EQ(executor_.launched().back().checkpoints, launch.checkpoints) << "also when it is launched once more";
}

TEST_F(Resuming, ACheckpointThatIsGoneIsSkippedWithAnEvent) {
  const Token first = start(retrying());
  for (const int step : {10, 20}) save(first, step);
  observe(first, exits(1));
  schedule();
  const Token second = executor_.launched().back().token;
  const auto known = executor_.launched().back().checkpoints;
  observe(second, CheckpointIsGone{known.at(0)});
  EXPECT_EQ(attempt(first.job).resumes_from, known.at(1));
  EXPECT_EQ(job(first.job).checkpoints, std::vector{known.at(1)});
  EXPECT_EQ(type_name(events_.back().payload), "checkpoint.skipped");
  expect_sentence(events_.back().reason);
  const auto events = events_.size();
  observe(second, CheckpointIsGone{known.at(0)});
  EXPECT_EQ(events_.size(), events) << "said twice";
  observe(second, CheckpointIsGone{known.at(1)});
  expect_sentence(events_.back().reason);
  EXPECT_FALSE(attempt(first.job).resumes_from);
}

TEST_F(Resuming, UserCodeIsToldItsPlaceAndItsName) {
  const Token token = start(spec_of("train"));
  const auto contact = executor_.launched().back().contact;
  ASSERT_TRUE(contact);
  const auto base = "http://127.0.0.1:8470/api/v1/jobs/" + to_string(token.job) + "/attempts/1";
  EXPECT_EQ(contact->progress_url, base + "/progress");
  EXPECT_EQ(contact->notice_url, base + "/notice");
  EXPECT_EQ(tokens_.check(contact->token, clock_.now()), token.key());
}

TEST_F(Resuming, WithoutAnAddressThereIsNoContact) {
  for (const auto& [url, key] : {std::pair(std::string(), key_), std::pair(std::string("http://h/api"), Secret())}) {
    const auto contacts = JobContacts::make(url, key);
    ASSERT_TRUE(contacts);
    EXPECT_FALSE(contacts->of({JobId{1}, 1}, clock_.now()));
    EXPECT_EQ(contacts->check(tokens_.issue({JobId{1}, 1}, clock_.now()), clock_.now()).error().code,
              ErrorCode::unauthenticated);
  }
  EXPECT_EQ(JobContacts::make("http://h/api", Secret("short")).error().code, ErrorCode::invalid);
  options_.contacts = {};
  open(one_node());
  start(spec_of("train"));
  EXPECT_FALSE(executor_.launched().back().contact);
  EXPECT_FALSE(controller_->next_due());
}

TEST_F(Resuming, TokensAreRenewedWhileTheAttemptLives) {
  const Token token = start(spec_of("train"));
  const auto commits = store_->commits();
  EXPECT_EQ(controller_->next_due(), clock_.now() + JobTokens::kRenewedEvery);
  for (int round = 1; round <= 6; ++round) {
    clock_.advance(JobTokens::kRenewedEvery);
    run_due();
    ASSERT_EQ(executor_.delivered().size(), static_cast<std::size_t>(round));
    EXPECT_EQ(executor_.delivered().back().first, token);
    EXPECT_EQ(tokens_.check(executor_.delivered().back().second, clock_.now()), token.key());
  }
  EXPECT_EQ(store_->commits(), commits) << "a token is nothing to store";
  observe(token, exits(0));
  EXPECT_FALSE(controller_->next_due());
  clock_.advance(hours(1));
  run_due();
  EXPECT_EQ(executor_.delivered().size(), 6U);
}

// A task agent shows its token to a server that it may not have reached for a long time.
TEST_F(Resuming, RemoteTokensAreGoodForLongWithoutANewOne) {
  open({.clusters = {{.name = "lab", .executor = "slurm"}}, .nodes = one_node().nodes});
  const Token token = start(spec_of("train"));
  clock_.advance(hours(31 * 24));
  run_due();
  ASSERT_FALSE(executor_.delivered().empty());
  const auto renewed = executor_.delivered().back().second;
  clock_.advance(hours(29 * 24));
  EXPECT_EQ(tokens_.check(renewed, clock_.now()), token.key());
}

TEST_F(Resuming, ANewServerGivesWhatItFindsNewTokens) {
  const Token token = start(spec_of("train"));
  start(spec_of("other"));
  clock_.advance(hours(3));
  open(one_node());
  run_due();
  ASSERT_EQ(executor_.delivered().size(), 2U);
  EXPECT_EQ(executor_.delivered().at(0).first, token);
  EXPECT_TRUE(tokens_.check(executor_.delivered().at(0).second, clock_.now()));
  EXPECT_EQ(controller_->next_due(), clock_.now() + JobTokens::kRenewedEvery);
}

TEST_F(Resuming, UserCodeSpeaksOfItsOwnAttemptOnly) {
  const Token token = start(spec_of("train"));
  const JobId other = submit(spec_of("other"));
  const Caller me = Caller::job(token.key());
  const auto ask = [&](const Command& command) {
    std::optional<Result<CommandReply>> answer;
    controller_->stage(me, command, [&](Result<CommandReply> r) { answer = std::move(r); });
    EXPECT_TRUE(controller_->commit());
    return std::move(*answer);
  };
  EXPECT_TRUE(ask(ReportProgress{token.key(), {.step = 1}}));
  EXPECT_EQ(ask(ReportProgress{{other, 1}, {.step = 1}}).error().code, ErrorCode::forbidden);
  EXPECT_EQ(ask(CancelJob{token.job}).error().code, ErrorCode::forbidden);
  EXPECT_EQ(ask(SubmitJobs{.specs = {spec_of("mine")}}).error().code, ErrorCode::forbidden);
}

}  // namespace
}  // namespace ym
