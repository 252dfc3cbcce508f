#include "model/tables.h"

#include <gtest/gtest.h>

namespace ym {
namespace {

// Folds in events, one second apart.
class TablesTest : public ::testing::Test {
 protected:
  void add(EventPayload payload, std::string reason = {}) {
    now_ = now_ + seconds(1);
    touched_ = {};
    apply(tables_,
          {.seq = tables_.last_seq + 1,
           .time = now_,
           .actor = "test",
           .reason = std::move(reason),
           .payload = std::move(payload)},
          &touched_);
  }
  void submit(JobId id, JobState state = JobState::queued) {
    const auto pending = state == JobState::held ? ReasonCode::held : ReasonCode::pending_evaluation;
    add(JobSubmitted{{.id = id,
                      .spec_id = SpecId{100},
                      .spec = std::make_shared<JobSpec>(),
                      .state = state,
                      .pending = pending,
                      .submitted_at = now_}});
  }
  void admit(AttemptKey key, std::size_t tasks = 2) {
    Attempt attempt{.job = key.job, .number = key.number, .queue = "q", .flavor = "t4"};
    attempt.prices_micros = prices_;
    attempt.placement.resize(tasks);
    attempt.tasks.resize(tasks);
    add(AttemptAdmitted{attempt});
  }
  // Applies events until user code runs in both tasks.
  void run(AttemptKey key) {
    admit(key);
    add(AttemptSubmitted{key});
    add(AttemptStarting{key});
    add(TaskStarted{key, 0});
    add(TaskStarted{key, 1});
    add(AttemptStarted{key});
  }
  void end(AttemptKey key, EndedBy by = EndedBy::exit) {
    add(TaskEnded{key, 0, {.by = by, .at = now_}});
    add(TaskEnded{key, 1, {.by = by, .at = now_}});
    add(AttemptEnded{.attempt = key, .by = by, .exit_code = 3, .signal = {}, .message = "exit 3"});
  }
  const Job& job(JobId id = kJob) { return tables_.jobs.at(id); }
  const Attempt& attempt(AttemptKey key = kFirst) { return tables_.attempts.at(key); }

  static constexpr JobId kJob{1};
  static constexpr AttemptKey kFirst{JobId{1}, 1}, kSecond{JobId{1}, 2};
  Tables tables_;
  Touched touched_;
  Instant now_{1'000'000};
  std::vector<std::int64_t> prices_;  // at the admission
};

// The price of one GPU in a task, in millionths an hour. Two tasks run for an hour.
class PricesTest : public TablesTest {
 protected:
  PricesTest() {
    set_price(1'000'000);
    JobSpec spec;
    spec.resources.gpus = kMilli;
    add(JobSubmitted{{.id = kJob, .spec = std::make_shared<JobSpec>(spec), .submitted_at = now_}});
  }
  void set_price(std::int64_t micros) { add(FlavorSet{{.name = "t4", .price_micros_per_gpu_hour = micros}}); }
  std::int64_t cost_of_an_hour() {
    now_ = *attempt().started_at + hours(1) - seconds(3);
    end(kFirst);
    return tables_.spending.begin()->second.cost.money_micros;
  }
};

TEST_F(PricesTest, TheOneOfTheAdmissionCounts) {
  prices_ = prices_of("t4", tables_.flavors);
  run(kFirst);
  set_price(5'000'000);
  EXPECT_EQ(cost_of_an_hour(), 2'000'000);
  EXPECT_EQ(attempt().prices_micros, std::vector<std::int64_t>{1'000'000});
}

TEST_F(PricesTest, WhatRanOnAFlavorThatIsGoneIsCounted) {
  prices_ = prices_of("t4", tables_.flavors);
  run(kFirst);
  add(FlavorRemoved{"t4"});
  EXPECT_EQ(cost_of_an_hour(), 2'000'000);
}

TEST_F(PricesTest, AnAttemptFromBeforeTheyWereStoredIsSettledAtThoseOfItsEnd) {
  run(kFirst);
  EXPECT_TRUE(attempt().prices_micros.empty());
  set_price(5'000'000);
  EXPECT_EQ(cost_of_an_hour(), 10'000'000);
  EXPECT_EQ(attempt().prices_micros, std::vector<std::int64_t>{5'000'000}) << "filled in once";
}

TEST_F(TablesTest, WholeLifeOfAJob) {
  submit(kJob);
  EXPECT_EQ(tables_.last_id, 100U) << "the spec's id is of the same sequence";
  run(kFirst);
  EXPECT_EQ(job().state, JobState::running);
  EXPECT_EQ(job().started_at, now_);
  EXPECT_EQ(job().pending, std::nullopt);
  EXPECT_EQ(attempt().started_at, now_);
  end(kFirst);
  EXPECT_EQ(attempt().state, AttemptState::ended);
  EXPECT_EQ(attempt().exit_code, 3);
  EXPECT_EQ(attempt().message, "exit 3");
  EXPECT_EQ(tables_.live_attempt(kJob), nullptr);
  add(JobFinished{kJob, JobState::failed, "exit 3"});
  EXPECT_EQ(job().state, JobState::failed);
  EXPECT_EQ(job().ended_at, now_);
  forget(tables_, kJob);
  EXPECT_TRUE(tables_.jobs.empty() && tables_.attempts.empty());
}

TEST_F(TablesTest, AStartMayBecomeKnownLater) {
  submit(kJob);
  admit(kFirst);
  const Instant began = now_;
  add(TaskStarted{kFirst, 0});
  add(TaskStarted{kFirst, 1});
  add(AttemptStarted{kFirst, began});
  EXPECT_EQ(attempt().started_at, began);
  EXPECT_EQ(job().started_at, began);
}

TEST_F(TablesTest, WaitingJobsSayWhy) {
  submit(kJob, JobState::held);
  EXPECT_EQ(job().pending, ReasonCode::held);
  add(JobReleased{kJob});
  EXPECT_EQ(job().pending, ReasonCode::pending_evaluation);
  add(JobDeferred{kJob, ReasonCode::waiting_for_quota});
  EXPECT_EQ(job().pending, ReasonCode::waiting_for_quota);
  add(JobHeld{kJob});
  EXPECT_EQ(job().state, JobState::held);
  EXPECT_EQ(job().pending, ReasonCode::held);
}

TEST_F(TablesTest, RequeueKeepsSubmitTimeAndCounts) {
  submit(kJob);
  const auto submitted = job().submitted_at;
  run(kFirst);
  const auto started = job().started_at;
  end(kFirst, EndedBy::lost);
  const auto later = now_ + seconds(30);
  add(JobRequeued{kJob, RetryCause::infra, later}, "node lost");
  EXPECT_EQ(job().state, JobState::queued);
  EXPECT_EQ(job().pending, ReasonCode::backoff);
  EXPECT_EQ(job().not_before, later);
  EXPECT_EQ(job().message, "node lost");
  EXPECT_EQ(job().retries, (RetryCounts{.infra = 1}));
  EXPECT_EQ(job().submitted_at, submitted);
  run(kSecond);
  EXPECT_EQ(job().not_before, std::nullopt);
  EXPECT_EQ(job().message, "");
  EXPECT_EQ(job().started_at, started) << "of the first attempt";
  EXPECT_EQ(job().attempts, 2);
  EXPECT_EQ(tables_.live_attempt(kJob), &attempt(kSecond));
}

// Waiting does not include holds, runs and backoffs.
TEST_F(TablesTest, WaitsSinceSubmitReleaseOrRequeue) {
  submit(kJob, JobState::held);
  EXPECT_EQ(job().waits_since, job().submitted_at);
  add(JobReleased{kJob});
  EXPECT_EQ(job().waits_since, now_);
  for (const auto backoff : {Duration{0}, minutes(2)}) {
    const AttemptKey key{kJob, job().attempts + 1};
    run(key);
    end(key, EndedBy::lost);
    add(JobRequeued{kJob, RetryCause::infra, now_ + seconds(1) + backoff});
    EXPECT_EQ(job().waits_since, now_ + backoff);
  }
}

TEST_F(TablesTest, RetriesAreCountedApart) {
  submit(kJob);
  std::int32_t number = 0;
  for (const auto cause : {RetryCause::error, RetryCause::preempted, RetryCause::error}) {
    run({kJob, ++number});
    end({kJob, number});
    add(JobRequeued{kJob, cause, {}});
  }
  EXPECT_EQ(job().retries, (RetryCounts{.error = 2, .preempted = 1}));
  EXPECT_EQ(job().pending, ReasonCode::pending_evaluation);
}

TEST_F(TablesTest, LostContactFreesNothingAndComesBack) {
  submit(kJob);
  run(kFirst);
  add(ContactLost{kFirst});
  EXPECT_EQ(job().state, JobState::unreachable);
  EXPECT_EQ(attempt().state, AttemptState::unknown);
  EXPECT_NE(tables_.live_attempt(kJob), nullptr);
  add(ContactRegained{kFirst});
  EXPECT_EQ(job().state, JobState::running);
  add(AttemptStopping{kFirst, StopCause::preemption, PreemptionCause::priority});
  add(ContactLost{kFirst});
  add(ContactRegained{kFirst});
  EXPECT_EQ(job().state, JobState::stopping) << "what was asked before still holds";
  EXPECT_EQ(attempt().state, AttemptState::stopping);
}

TEST_F(TablesTest, ContactBackBeforeTheStart) {
  submit(kJob);
  admit(kFirst);
  add(ContactLost{kFirst});
  add(ContactRegained{kFirst});
  EXPECT_EQ(job().state, JobState::starting);
  EXPECT_EQ(attempt().state, AttemptState::starting);
}

TEST_F(TablesTest, FirstStopCauseWins) {
  submit(kJob);
  run(kFirst);
  add(AttemptStopping{kFirst, StopCause::preemption, PreemptionCause::priority});
  add(ContactLost{kFirst});
  add(AttemptStopping{kFirst, StopCause::cancel});
  EXPECT_EQ(attempt().stop_cause, StopCause::preemption);
}

TEST_F(TablesTest, ObjectsAreSetReplacedAndRemoved) {
  add(QueueSet{{.name = "a"}});
  add(QueueSet{{.name = "a", .parent = "org"}});
  EXPECT_EQ(tables_.queues.at("a").parent, "org");
  add(QueueRemoved{"a"});
  EXPECT_TRUE(tables_.queues.empty());
  EXPECT_EQ(touched_.of<Queue>(), std::set<std::string>{"a"});
}

TEST_F(TablesTest, EpochsOnlyGrow) {
  add(ServerStarted{3, "1"});
  EXPECT_EQ(tables_.epoch, 3U);
  EXPECT_DEATH(add(ServerStarted{3, "1"}), "assertion failed");
}

TEST_F(TablesTest, EventsAreDenseAndInTime) {
  EXPECT_DEATH(apply(tables_, {.seq = 2, .payload = ClusterSet{}}), "assertion failed");
  add(ClusterSet{});
  EXPECT_DEATH(apply(tables_, {.seq = 2, .time = now_ - Duration{1}, .payload = ClusterSet{}}), "assertion failed");
}

TEST_F(TablesTest, WhatDoesNotExistIsABug) {
  EXPECT_DEATH(add(JobHeld{kJob}), "assertion failed");
  EXPECT_DEATH(add(AttemptStarted{kFirst}), "assertion failed");
  EXPECT_DEATH(add(NodeRemoved{"n1"}), "assertion failed");
  submit(kJob);
  EXPECT_DEATH(submit(kJob), "assertion failed");
}

TEST_F(TablesTest, PromisesAreAsserted) {
  submit(kJob);
  EXPECT_DEATH(admit(kSecond), "assertion failed") << "attempts count from 1";
  EXPECT_DEATH(admit(kFirst, 0), "assertion failed") << "a gang has a task";
  run(kFirst);
  EXPECT_DEATH(admit(kSecond), "assertion failed") << "one attempt at a time";
  EXPECT_DEATH(add(JobFinished{kJob, JobState::failed, ""}), "assertion failed") << "its attempt is still live";
  EXPECT_DEATH(add(JobRequeued{kJob, RetryCause::infra, {}}), "assertion failed");
  EXPECT_DEATH(add(TaskStarted{kFirst, 0}), "assertion failed") << "user code starts once";
  EXPECT_DEATH(add(TaskStarted{kFirst, 2}), "assertion failed");
  EXPECT_DEATH(add(AttemptEnded{.attempt = kFirst}), "assertion failed") << "tasks still run";
  EXPECT_DEATH(forget(tables_, kJob), "assertion failed");
}

TEST_F(TablesTest, CancelledJobNeverStartsAgain) {
  submit(kJob);
  add(CancelRequested{kJob});
  EXPECT_DEATH(admit(kFirst), "assertion failed");
  submit(JobId{2});
  run({JobId{2}, 1});
  add(CancelRequested{JobId{2}});
  end({JobId{2}, 1});
  EXPECT_DEATH(add(JobRequeued{JobId{2}, RetryCause::infra, {}}), "assertion failed");
}

TEST_F(TablesTest, LiveAttemptIsOfTheJobItself) {
  submit(JobId{1});
  submit(JobId{2});
  submit(JobId{3});
  admit({JobId{1}, 1});
  admit({JobId{3}, 1});
  EXPECT_EQ(tables_.live_attempt(JobId{2}), nullptr);
  EXPECT_EQ(tables_.live_attempt(JobId{3})->job, JobId{3});
  EXPECT_EQ(tables_.live_attempt(JobId{9}), nullptr);
}

TEST_F(TablesTest, JobsCompareByTheContentsOfTheirSpecs) {
  const Job a{.spec = std::make_shared<JobSpec>(JobSpec{.name = "x"})};
  Job b{.spec = std::make_shared<JobSpec>(JobSpec{.name = "x"})};
  EXPECT_EQ(a, b);
  b.spec = std::make_shared<JobSpec>(JobSpec{.name = "y"});
  EXPECT_NE(a, b);
}

}  // namespace
}  // namespace ym
