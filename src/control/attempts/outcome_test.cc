#include "control/attempts/outcome.h"

#include <gtest/gtest.h>

#include "base/testing/sentences.h"

namespace ym {
namespace {

using testing::expect_sentence;

// `seq`: of the event that recorded the end.
TaskStatus ended(TaskExit exit, std::uint64_t seq = 1) {
  return {.state = TaskState::ended, .exit = std::move(exit), .ended_seq = seq};
}
TaskExit exit_with(int code, std::int64_t at = 0) { return {.by = EndedBy::exit, .exit_code = code, .at = {at}}; }

Attempt attempt_with(std::vector<TaskStatus> tasks) {
  Attempt attempt{.job = JobId{1}, .number = 1};
  attempt.tasks = std::move(tasks);
  return attempt;
}

AttemptOutcome outcome_of(const Attempt& attempt) { return ym::outcome_of(attempt, JobSpec{}); }

Job job_with(RetryPolicy retry, RetryCounts used = {}) {
  JobSpec spec;
  spec.retry = retry;
  Job job{.id = JobId{1}, .spec = std::make_shared<const JobSpec>(spec)};
  job.retries = used;
  return job;
}

TEST(Outcome, AllTasksExitZeroIsSuccess) {
  const auto outcome = outcome_of(attempt_with({ended(exit_with(0)), ended(exit_with(0))}));
  EXPECT_EQ(outcome.by, EndedBy::exit);
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(std::get<Finish>(after_attempt(job_with({}), outcome)).state, JobState::succeeded);
}

TEST(Outcome, TheFailureThatWasRecordedFirstCountsForTheGang) {
  const auto outcome =
      outcome_of(attempt_with({ended(exit_with(143, 10), 9), ended(exit_with(3, 20), 8), ended(exit_with(0, 5), 7)}));
  EXPECT_EQ(outcome.exit_code, 3) << "whatever the clocks say";
  expect_sentence(outcome.message);
}

TEST(Outcome, AMemberThatWasLostExplainsThePeersThatFailedBecauseOfIt) {
  const TaskExit lost{.by = EndedBy::lost, .at = {30'000}};
  const auto outcome =
      outcome_of(attempt_with({ended(exit_with(1, 10), 7), ended(lost, 9), ended(exit_with(1, 11), 8)}));
  EXPECT_EQ(outcome.by, EndedBy::lost) << "found dead late, but it went first";
  EXPECT_EQ(std::get<Retry>(after_attempt(job_with({}), outcome)).cause, RetryCause::infra);
}

TEST(Outcome, AMemberThatCouldNotStartExplainsTheOthers) {
  const TaskExit passing{.by = EndedBy::start_failed, .message = "fork: no memory"};
  const TaskExit missing{.by = EndedBy::start_failed, .message = "no such program", .permanent = true};
  EXPECT_EQ(outcome_of(attempt_with({ended(exit_with(1), 3), ended(passing, 4)})).message, "fork: no memory");
  EXPECT_EQ(outcome_of(attempt_with({ended(passing, 3), ended(missing, 4)})).message, "no such program");
}

TEST(Outcome, AGangAtItsTimeLimitTimedOutThoughAPeerSawItGo) {
  const TaskExit limit{.by = EndedBy::time_limit};
  EXPECT_EQ(outcome_of(attempt_with({ended(limit, 8), ended(exit_with(1), 7)})).by, EndedBy::time_limit);
}

TEST(Outcome, AnExecutorThatCannotLaunchCostsTheJobNoRetry) {
  auto outcome = outcome_of(attempt_with({ended({.by = EndedBy::start_failed, .message = "the disk is full"})}));
  outcome.of_executor = true;
  const auto backoff = [&](int failures) {
    const auto next = after_attempt(job_with({.infra_max = 0}, {.infra = 0, .launch = failures}), outcome);
    EXPECT_EQ(std::get<Retry>(next).cause, RetryCause::launch);
    EXPECT_EQ(std::get<Retry>(next).reason, "the disk is full");
    return std::get<Retry>(next).backoff;
  };
  EXPECT_EQ(backoff(0), seconds(5));
  EXPECT_EQ(backoff(3), seconds(40));
  EXPECT_EQ(backoff(100), minutes(5));
}

TEST(Outcome, CancelOutranksWhatTheTasksMadeOfIt) {
  auto attempt = attempt_with({ended(exit_with(0))});
  attempt.stop_cause = StopCause::cancel;
  EXPECT_EQ(outcome_of(attempt).by, EndedBy::cancelled);
  Job job = job_with({});
  job.cancel_requested = true;
  EXPECT_EQ(std::get<Finish>(after_attempt(job, outcome_of(attempt))).state, JobState::cancelled);
}

TEST(Outcome, TimeLimitIsNeverRetried) {
  const auto outcome = outcome_of(attempt_with({ended({.by = EndedBy::time_limit})}));
  const auto next = after_attempt(job_with({.infra_max = 5, .error_max = 5}), outcome);
  EXPECT_EQ(std::get<Finish>(next).state, JobState::timed_out);
}

TEST(Outcome, RetriesAreCountedApart) {
  const RetryPolicy policy{.infra_max = 1, .error_max = 1};
  const auto lost = outcome_of(attempt_with({ended({.by = EndedBy::lost})}));
  const auto error = outcome_of(attempt_with({ended(exit_with(1))}));
  const Job job = job_with(policy, {.infra = 1, .error = 0});
  EXPECT_EQ(std::get<Finish>(after_attempt(job, lost)).state, JobState::failed);
  EXPECT_EQ(std::get<Retry>(after_attempt(job, error)).cause, RetryCause::error);
}

TEST(Outcome, BackoffDoublesAndIsBounded) {
  const RetryPolicy policy{.error_max = 100, .backoff = seconds(5), .backoff_max = seconds(60)};
  const auto error = outcome_of(attempt_with({ended(exit_with(1))}));
  const auto backoff = [&](int used) {
    return std::get<Retry>(after_attempt(job_with(policy, {.error = used}), error)).backoff;
  };
  EXPECT_EQ(backoff(0), seconds(5));
  EXPECT_EQ(backoff(1), seconds(10));
  EXPECT_EQ(backoff(3), seconds(40));
  EXPECT_EQ(backoff(4), seconds(60));
  EXPECT_EQ(backoff(63), seconds(60));
}

TEST(Outcome, AMistakeThatCannotHealIsNotRetried) {
  const TaskExit missing{
      .by = EndedBy::start_failed, .message = "execve /no/such: No such file or directory", .permanent = true};
  const auto next =
      after_attempt(job_with({.infra_max = 9, .error_max = 9}), outcome_of(attempt_with({ended(missing)})));
  EXPECT_EQ(std::get<Finish>(next).state, JobState::failed);
  EXPECT_EQ(std::get<Finish>(next).message, "execve /no/such: No such file or directory");
}

TEST(Outcome, AStartThatFailedForPassingReasonsCountsAsInfrastructure) {
  const TaskExit passing{.by = EndedBy::start_failed, .message = "fork: Resource temporarily unavailable"};
  const auto next = after_attempt(job_with({}), outcome_of(attempt_with({ended(passing)})));
  EXPECT_EQ(std::get<Retry>(next).cause, RetryCause::infra);
}

TEST(Outcome, RetriesUsedUpAreSaid) {
  const auto error = outcome_of(attempt_with({ended(exit_with(2))}));
  const auto next = after_attempt(job_with({.error_max = 2}, {.error = 2}), error);
  expect_sentence(std::get<Finish>(next).message);
}

}  // namespace
}  // namespace ym
