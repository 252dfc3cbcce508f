// Since when a job waits, and when it arrived, before and after a preemption.
#include <gtest/gtest.h>

#include "model/tables.h"

namespace ym {
namespace {

constexpr AttemptKey kFirst{JobId{1}, 1};

// Job 1 waits from 0 to 5 minutes, runs for three hours, and is preempted.
Tables stopped_after_three_hours() {
  Tables tables;
  const auto at = [&](Duration time, EventPayload payload) {
    apply(tables, {.seq = tables.last_seq + 1, .time = Instant{} + time, .payload = std::move(payload)});
  };
  Attempt attempt{.job = kFirst.job, .number = 1, .admitted_at = Instant{} + minutes(5)};
  attempt.placement.resize(1);
  attempt.tasks.resize(1);
  at({}, JobSubmitted{{.id = kFirst.job,
                       .spec_id = SpecId{2},
                       .spec = std::make_shared<JobSpec>(),
                       .state = JobState::queued,
                       .pending = ReasonCode::pending_evaluation}});
  at(minutes(5), AttemptAdmitted{attempt});
  at(hours(3),
     AttemptStopping{.attempt = kFirst, .cause = StopCause::preemption, .preemption = PreemptionCause::priority});
  at(hours(3), TaskEnded{kFirst, 0, {.by = EndedBy::preempted, .at = Instant{} + hours(3)}});
  at(hours(3), AttemptEnded{.attempt = kFirst, .by = EndedBy::preempted});
  return tables;
}

Job requeued(RetryCause cause, std::optional<Instant> not_before) {
  Tables tables = stopped_after_three_hours();
  apply(tables, {.seq = tables.last_seq + 1,
                 .time = Instant{} + hours(3),
                 .payload = JobRequeued{kFirst.job, cause, not_before}});
  return tables.jobs.at(kFirst.job);
}

Instant waits_since(RetryCause cause, std::optional<Instant> not_before) {
  return requeued(cause, not_before).waits_since;
}
Instant arrived_at(RetryCause cause, std::optional<Instant> not_before) {
  return requeued(cause, not_before).arrived_at;
}

TEST(Waiting, WhatItHadWaitedBeforeAPreemptionCountsOn) {
  EXPECT_EQ(waits_since(RetryCause::preempted, {}), Instant{} + hours(3) - minutes(5));
}

TEST(Waiting, OtherRetriesAndBackoffsBeginAnew) {
  const Instant end = Instant{} + hours(3);
  EXPECT_EQ(waits_since(RetryCause::infra, {}), end);
  for (const auto cause : {RetryCause::preempted, RetryCause::infra})
    EXPECT_EQ(waits_since(cause, end + minutes(2)), end + minutes(2));
}

TEST(Waiting, APreemptionIsNoArrivalAndEveryOtherRetryIs) {
  const Instant end = Instant{} + hours(3);
  EXPECT_EQ(arrived_at(RetryCause::preempted, {}), Instant{});
  EXPECT_EQ(arrived_at(RetryCause::preempted, end + minutes(2)), Instant{});
  EXPECT_EQ(arrived_at(RetryCause::infra, {}), end);
  EXPECT_EQ(arrived_at(RetryCause::infra, end + minutes(2)), end + minutes(2)) << "when its backoff is over";
}

}  // namespace
}  // namespace ym
