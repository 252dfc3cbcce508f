// Progress reports of user code: when they are stored, what counts, and their effects.
#include <algorithm>

#include "base/testing/sentences.h"
#include "control/controller.h"
#include "control/testing/training_fixture.h"

namespace ym {
namespace {

using testing::exits;
using testing::expect_refused;
using testing::expect_sentence;
using testing::one_node;
using testing::spec_of;

class ProgressIntakeTest : public testing::TrainingTest {
 protected:
  void SetUp() override {
    testing::TrainingTest::SetUp();
    commits_ = store_->commits();
  }
  // What the server's loop does when work is due.
  void run_due() {
    controller_->do_due();
    ASSERT_TRUE(controller_->commit());
  }
  void advance_to_due() {
    ASSERT_TRUE(controller_->next_due());
    clock_.advance(*controller_->next_due() - clock_.now());
    run_due();
  }
  std::optional<Progress> progress() { return attempt(id_).progress; }
  int commits() const { return store_->commits() - commits_; }
  std::vector<Event> of_type(std::string_view type) const {
    std::vector<Event> found;
    std::ranges::copy_if(events_, std::back_inserter(found),
                         [&](const Event& event) { return type_name(event.payload) == type; });
    return found;
  }

  int commits_ = 0;
};

TEST_F(ProgressIntakeTest, ReportsAreAnsweredAtOnceAndStoredTogether) {
  for (int step = 1; step <= 20; ++step) {
    ASSERT_TRUE(report({.step = step, .metrics = {{"loss", 1.0 / step}}}));
    clock_.advance(Duration{10});
    run_due();
  }
  EXPECT_LE(commits(), 1);
  advance_to_due();
  EXPECT_EQ(progress()->step, 20);
  EXPECT_EQ(progress()->metrics.at("loss"), 0.05);
  EXPECT_FALSE(controller_->next_due());
}

TEST_F(ProgressIntakeTest, AnAttemptIsStoredOnceInFiveSecondsAtMost) {
  std::vector<Instant> stored;
  for (int i = 0; i < 400; ++i) {
    ASSERT_TRUE(report({.step = i}));
    clock_.advance(Duration{100});
    run_due();
  }
  for (const auto& event : of_type("attempt.progress")) stored.push_back(event.time);
  ASSERT_GE(stored.size(), 6U);
  for (std::size_t i = 1; i < stored.size(); ++i) EXPECT_GE(stored[i] - stored[i - 1], seconds(5));
}

TEST_F(ProgressIntakeTest, ManyAttemptsShareTheirCommits) {
  std::vector<Token> tokens{token_};
  while (tokens.size() < 15) {
    submit(spec_of("more", 0));
    schedule();
    tokens.push_back(executor_.launched().back().token);
    observe(tokens.back(), TaskIsRunning{0});
  }
  const auto before = store_->commits();
  for (int ms = 0; ms < 30'000; ms += 50) {
    const auto& token = tokens[static_cast<std::size_t>(ms / 50) % tokens.size()];
    ASSERT_TRUE(execute(ReportProgress{token.key(), {.step = ms}}));
    run_due();
    clock_.advance(Duration{50});
  }
  EXPECT_GE(of_type("attempt.progress").size(), 70U);
  EXPECT_LE(store_->commits() - before, 15) << "not one for each";
}

TEST_F(ProgressIntakeTest, ACheckpointIsDurableWhenItIsAnswered) {
  clock_.advance(minutes(1));
  ASSERT_TRUE(report({.step = 7}));
  ASSERT_TRUE(report({.checkpoint = saved(5, clock_.now() - seconds(2))}));
  EXPECT_EQ(commits(), 1);
  const auto kept = ended(id_).checkpoints;
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_EQ(kept[0].uri, "/ck/5");
  EXPECT_EQ(kept[0].attempt, 1);
  EXPECT_EQ(progress()->step, 7) << "what was kept goes with it";
  expect_sentence(of_type("attempt.progress").back().reason);
  EXPECT_EQ(of_type("attempt.progress").back().actor, "job:" + to_string(id_));
}

TEST_F(ProgressIntakeTest, OnlyNewerCheckpointsCountAndTheRestOfTheReportDoesAnyway) {
  clock_.advance(minutes(10));
  const auto now = clock_.now();
  ASSERT_TRUE(report({.checkpoint = saved(100, now - minutes(2))}));
  ASSERT_TRUE(report({.step = 150, .checkpoint = saved(50, now - minutes(3))}));
  ASSERT_TRUE(report({.checkpoint = saved(100, now - minutes(2))}));
  ASSERT_TRUE(report({.checkpoint = saved(100, now - minutes(1))})) << "the same, dated when it was said again";
  EXPECT_EQ(ended(id_).checkpoints.size(), 1U);
  EXPECT_EQ(commits(), 1);
  advance_to_due();
  EXPECT_EQ(progress()->step, 150);
  ASSERT_TRUE(report({.checkpoint = saved(90, clock_.now())})) << "the step does not decide";
  EXPECT_EQ(ended(id_).checkpoints.front().step, 90);
}

TEST_F(ProgressIntakeTest, CompletionIsStoredAtOnceAndOnce) {
  ASSERT_TRUE(report({.completed = true}));
  EXPECT_TRUE(progress()->completed);
  ASSERT_TRUE(report({.completed = true}));
  ASSERT_TRUE(report({}));
  EXPECT_EQ(commits(), 1);
  EXPECT_FALSE(controller_->next_due()) << "nothing new was said";
}

TEST_F(ProgressIntakeTest, BothWaysInMeanTheSame) {
  ASSERT_TRUE(report({.step = 5, .total_steps = 10}));
  observe(token_, ProgressIsReported{{.metrics = {{"loss", 2}}}});
  EXPECT_EQ(commits(), 0);
  observe(token_, ProgressIsReported{{.step = 6, .checkpoint = saved(6, clock_.now())}});
  EXPECT_EQ(*progress()->step, 6);
  EXPECT_EQ(*progress()->total_steps, 10);
  EXPECT_EQ(progress()->metrics.at("loss"), 2);
  Token other = token_;
  other.epoch += 1;
  observe(other, ProgressIsReported{{.completed = true}});
  EXPECT_FALSE(progress()->completed) << "of another launch";
}

TEST_F(ProgressIntakeTest, WhatWasSaidLastIsStoredBeforeTheEnd) {
  ASSERT_TRUE(report({.step = 41}));
  advance_to_due();
  ASSERT_TRUE(report({.step = 42}));
  observe(token_, exits(0));
  EXPECT_EQ(progress()->step, 42);
  EXPECT_EQ(ended(id_).state, JobState::succeeded);
  EXPECT_FALSE(controller_->next_due());
}

TEST_F(ProgressIntakeTest, WhatWasSaidLastIsStoredWhenTheServerStops) {
  ASSERT_TRUE(report({.step = 42}));
  controller_->stage_progress();
  ASSERT_TRUE(controller_->commit());
  open(one_node());
  EXPECT_EQ(controller_->tables().attempts.at(token_.key()).progress->step, 42);
}

TEST_F(ProgressIntakeTest, OfAnAttemptThatDoesNotLiveNothingIsTaken) {
  EXPECT_EQ(execute(ReportProgress{{id_, 2}, {.step = 1}}).error().code, ErrorCode::not_found);
  EXPECT_EQ(execute(ReportProgress{{JobId{999}, 1}, {.step = 1}}).error().code, ErrorCode::not_found);
  observe(token_, exits(0));
  expect_refused(report({.step = 1}), ErrorCode::conflict);
  observe(token_, ProgressIsReported{{.step = 1}});
  EXPECT_FALSE(controller_->next_due());
}

TEST_F(ProgressIntakeTest, OfAnAttemptThatEndedInAJobThatGoesOnNothingIsTaken) {
  observe(token_, TaskHasEnded{0, {.by = EndedBy::lost}});
  EXPECT_EQ(job(id_).state, JobState::queued);
  EXPECT_EQ(report({.step = 1}).error().code, ErrorCode::conflict);
}

TEST_F(ProgressIntakeTest, ACommitThatFailsTakesBackWhatItRefusedAndKeepsTheRest) {
  ASSERT_TRUE(report({.step = 10}));
  store_->fail_next(1);
  const auto refused = report({.step = 11, .checkpoint = saved(11, clock_.now())});
  EXPECT_EQ(refused.error().code, ErrorCode::unavailable);
  EXPECT_TRUE(controller_->tables().jobs.at(id_).checkpoints.empty());
  advance_to_due();
  EXPECT_EQ(progress()->step, 10) << "acknowledged before";
  EXPECT_TRUE(ended(id_).checkpoints.empty()) << "refused";
  ASSERT_TRUE(report({.step = 11, .checkpoint = saved(11, clock_.now())}));
  EXPECT_EQ(ended(id_).checkpoints.size(), 1U);
}

TEST_F(ProgressIntakeTest, WhatAnExecutorToldOutlivesACommitThatFails) {
  store_->fail_next(1);
  controller_->stage(Observation{token_, ProgressIsReported{{.checkpoint = saved(3, clock_.now())}}});
  EXPECT_FALSE(controller_->commit());
  ASSERT_TRUE(controller_->commit());
  EXPECT_EQ(ended(id_).checkpoints.size(), 1U);
}

TEST_F(ProgressIntakeTest, DueReportsAreTriedAgainAfterACommitThatFailed) {
  ASSERT_TRUE(report({.step = 10}));
  clock_.advance(seconds(10));
  store_->fail_next(1);
  controller_->do_due();
  EXPECT_FALSE(controller_->commit());
  ASSERT_TRUE(controller_->next_due());
  EXPECT_LE(*controller_->next_due(), clock_.now());
  run_due();
  EXPECT_EQ(progress()->step, 10);
}

TEST_F(ProgressIntakeTest, NamesOfMetricsAreBounded) {
  for (int i = 0; i < 1'000; ++i) {
    ASSERT_TRUE(report({.metrics = {{"loss", i}, {"at-" + std::to_string(i), 1}}}));
    clock_.advance(seconds(1));
    run_due();
  }
  controller_->stage_progress();
  ASSERT_TRUE(controller_->commit());
  EXPECT_EQ(progress()->metrics.size(), ProgressIntake::kMetrics);
  EXPECT_EQ(progress()->metrics.at("loss"), 999) << "those that are known go on";
}

}  // namespace
}  // namespace ym
