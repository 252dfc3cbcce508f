// Lost GPU time of ended attempts, and how it is stored.
#include "model/loss.h"

#include <gtest/gtest.h>

#include <memory>

#include "model/tables.h"

namespace ym {
namespace {

constexpr Instant kAdmitted{1'800'000'000'000};
constexpr Instant kStart = kAdmitted + seconds(30);
constexpr Duration kRestart = minutes(1);

// Two tasks with two GPUs each that ran for ten minutes; the second one ended last.
class Loss : public ::testing::Test {
 protected:
  Loss() {
    JobSpec spec;
    spec.nodes = 2;
    spec.resources.gpus = 2 * kMilli;
    job_.spec = std::make_shared<const JobSpec>(spec);
    attempt_.placement = {{.task = 0, .node = "n1", .devices = {"0", "1"}},
                          {.task = 1, .node = "n2", .devices = {"0", "1"}}};
    attempt_.tasks.resize(2);
    end_tasks(kStart + minutes(9), kStart + minutes(10));
  }
  void end_tasks(Instant first, Instant second) {
    attempt_.tasks[0] = {.state = TaskState::ended, .exit = TaskExit{.at = first}};
    attempt_.tasks[1] = {.state = TaskState::ended, .exit = TaskExit{.at = second}};
  }
  static Checkpoint saved(Instant at, std::int32_t attempt) {
    return {.uri = "/ck", .step = 1, .durable_at = at, .attempt = attempt};
  }
  // In milliseconds of the gang of four GPUs.
  std::int64_t lost(const Checkpoint* from, Instant heard = kStart + minutes(10)) const {
    const auto gpu_ms = gpu_ms_lost(job_, attempt_, from, kRestart, heard);
    EXPECT_EQ(gpu_ms % 4, 0);
    return gpu_ms / 4;
  }

  Job job_{.id = JobId{1}};
  Attempt attempt_{.job = JobId{1}, .number = 2, .admitted_at = kAdmitted, .started_at = kStart};
};

TEST_F(Loss, WithoutASaveItIsAllThatItDidAndAStart) { EXPECT_EQ(lost(nullptr), (minutes(10) + kRestart).ms); }

TEST_F(Loss, ASaveKeepsWhatWasDoneByThen) {
  const Checkpoint own = saved(kStart + minutes(7), 2);
  EXPECT_EQ(lost(&own), (minutes(3) + kRestart).ms);
  const Checkpoint last = saved(kStart + minutes(10), 2);
  EXPECT_EQ(lost(&last), kRestart.ms) << "as the last thing that it did";
  const Checkpoint later = saved(kStart + minutes(11), 2);
  EXPECT_EQ(lost(&later), kRestart.ms) << "no work is won by it";
}

TEST_F(Loss, ASaveOfAnAttemptBeforeKeepsNothingOfThisOne) {
  const Checkpoint before = saved(kStart + minutes(7), 1);
  EXPECT_EQ(lost(&before), (minutes(10) + kRestart).ms);
}

TEST_F(Loss, ItDidNoWorkAfterItsLastProcessHadEnded) {
  EXPECT_EQ(lost(nullptr, kStart + hours(5)), (minutes(10) + kRestart).ms) << "the server was away meanwhile";
}

TEST_F(Loss, ClocksOfOthersAreBelievedWithinReason) {
  end_tasks(kStart + minutes(9), kStart + hours(5));
  EXPECT_EQ(lost(nullptr), (minutes(10) + kRestart).ms) << "the end cannot be noticed earlier";
  end_tasks(Instant{}, kStart - hours(1));
  EXPECT_EQ(lost(nullptr), (minutes(10) + kRestart).ms) << "before its start: the time when it was noticed";
}

TEST_F(Loss, AnAttemptThatNeverStartedHasLostItsStartAsFarAsThatHadCome) {
  attempt_.started_at.reset();
  end_tasks(kAdmitted + seconds(5), kAdmitted + seconds(20));
  EXPECT_EQ(lost(nullptr), seconds(20).ms);
  end_tasks(kAdmitted + seconds(5), kAdmitted + minutes(8));
  EXPECT_EQ(lost(nullptr), kRestart.ms) << "no more than a start takes";
  end_tasks({}, {});
  EXPECT_EQ(lost(nullptr, kAdmitted), 0) << "it was refused at once";
}

TEST_F(Loss, WithoutGpusThereIsNone) {
  JobSpec spec = *job_.spec;
  spec.resources.gpus = 0;
  job_.spec = std::make_shared<const JobSpec>(spec);
  EXPECT_EQ(lost(nullptr), 0);
}

TEST_F(Loss, AShareOfAGpuLosesThatShare) {
  JobSpec spec = *job_.spec;
  spec.resources.gpus = 500;
  job_.spec = std::make_shared<const JobSpec>(spec);
  EXPECT_EQ(gpu_ms_lost(job_, attempt_, nullptr, kRestart, kStart + minutes(10)), (minutes(10) + kRestart).ms);
}

// The rows of a job: its first attempt has ended, and its second one is being launched.
class LossInTables : public Loss {
 protected:
  LossInTables() {
    job_.submitted_at = kAdmitted;
    job_.pending = ReasonCode::pending_evaluation;
    add(JobSubmitted{job_});
    admit(1);
    add(AttemptStarted{{job_.id, 1}});
    add(AttemptStopping{.attempt = {job_.id, 1},
                        .cause = StopCause::preemption,
                        .preemption = PreemptionCause::priority,
                        .estimated_lost_gpu_ms = 70'000});
    add(AttemptProgressed{{job_.id, 1}, {.checkpoint = newest_}});
    for (const std::int32_t task : {0, 1}) add(TaskEnded{{job_.id, 1}, task, {.by = EndedBy::preempted}});
  }
  void add(EventPayload payload) {
    apply(tables_, {.seq = tables_.last_seq + 1, .time = kStart, .payload = std::move(payload)});
  }
  void admit(std::int32_t number) {
    Attempt admitted = attempt_;
    admitted.number = number;
    admitted.started_at.reset();
    admitted.tasks.assign(2, {});
    add(AttemptAdmitted{admitted});
    add(AttemptSubmitted{admitted.key()});
    add(AttemptStarting{admitted.key()});
  }
  const Attempt& first() const { return tables_.attempts.at({job_.id, 1}); }

  const Checkpoint newest_ = saved(kStart, 1);
  Tables tables_;
};

TEST_F(LossInTables, EstimateAndOutcomeAreTwoFigures) {
  EXPECT_EQ(first().estimated_lost_gpu_ms, 70'000);
  EXPECT_EQ(first().lost_gpu_ms, std::nullopt) << "it has not ended";
  add(AttemptEnded{.attempt = {job_.id, 1}, .by = EndedBy::preempted, .message = {}, .lost_gpu_ms = 4'000});
  EXPECT_EQ(first().estimated_lost_gpu_ms, 70'000);
  EXPECT_EQ(first().lost_gpu_ms, 4'000);
}

TEST_F(LossInTables, ASaveThatIsGoneTakesTheWorkWithIt) {
  add(AttemptEnded{.attempt = {job_.id, 1}, .by = EndedBy::preempted, .message = {}, .lost_gpu_ms = 4'000});
  add(JobRequeued{job_.id, RetryCause::preempted, {}});
  admit(2);
  Touched touched;
  apply(tables_,
        {.seq = tables_.last_seq + 1,
         .time = kStart,
         .payload = CheckpointSkipped{.job = job_.id, .checkpoint = newest_, .further_losses = {{1, 500}}}},
        &touched);
  EXPECT_EQ(first().lost_gpu_ms, 4'500);
  EXPECT_EQ(first().estimated_lost_gpu_ms, 70'000);
  EXPECT_EQ(touched.attempts, (std::set<AttemptKey>{{job_.id, 1}})) << "it is stored";
}

}  // namespace
}  // namespace ym
