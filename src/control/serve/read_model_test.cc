#include "control/serve/read_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace ym {
namespace {

// Commits of several events, as the control thread publishes them.
class ReadModelTest : public ::testing::Test {
 protected:
  ReadModelTest() {
    stage(QueueSet{{.name = "q"}});
    stage(JobSubmitted{{.id = kJob, .spec = std::make_shared<JobSpec>(), .queue = "q"}});
    Attempt attempt{.job = kJob, .number = 1, .queue = "q", .flavor = "t4"};
    attempt.placement.resize(1);
    attempt.tasks.resize(1);
    stage(AttemptAdmitted{std::move(attempt)});
    stage(AttemptStarted{kFirst});
    commit();
  }
  void stage(EventPayload payload) {
    Event event{.seq = tables_.last_seq + 1, .time = now_, .payload = std::move(payload)};
    apply(tables_, event);
    events_.push_back(std::move(event));
  }
  void commit() {
    model_.publish({std::make_shared<const std::vector<Event>>(std::exchange(events_, {})), {}}, tables_);
  }
  // The attempt is preempted for this cause, and has ended.
  void preempt(PreemptionCause cause, std::int32_t resizes_to) {
    stage(AttemptStopping{.attempt = kFirst,
                          .cause = StopCause::preemption,
                          .preemption = cause,
                          .estimated_lost_gpu_ms = 5,
                          .resizes_to = resizes_to});
    stage(TaskEnded{kFirst, 0, {.by = EndedBy::preempted}});
    stage(AttemptEnded{.attempt = kFirst, .by = EndedBy::preempted, .message = {}, .lost_gpu_ms = 3});
  }

  static constexpr JobId kJob{7};
  static constexpr AttemptKey kFirst{kJob, 1};
  Tables tables_;
  ReadModel model_;
  Instant now_{1'000};
  std::vector<Event> events_;
};

TEST_F(ReadModelTest, APreemptionCountsUnderItsCauseThoughItsAttemptEndsInTheSameCommit) {
  preempt(PreemptionCause::resize, 2);
  commit();
  const Counters counters = model_.counters(now_);
  EXPECT_EQ(counters.preemptions.at({"q", PreemptionCause::resize}), 1);
  EXPECT_EQ(counters.preemptions.at({"q", PreemptionCause::shrink}), 0);
  EXPECT_EQ(counters.estimated_lost_gpu_ms.at(PreemptionCause::resize), 5);
  EXPECT_EQ(counters.lost_gpu_ms.at(PreemptionCause::resize), 3);
}

TEST_F(ReadModelTest, WhatWasPreemptedBeforeTheServerStartedLosesUnderItsCause) {
  stage(AttemptStopping{.attempt = kFirst, .cause = StopCause::preemption, .preemption = PreemptionCause::borrow});
  events_.clear();
  model_.reset(tables_);
  stage(TaskEnded{kFirst, 0, {.by = EndedBy::preempted}});
  stage(AttemptEnded{.attempt = kFirst, .by = EndedBy::preempted, .message = {}, .lost_gpu_ms = 3});
  commit();
  EXPECT_EQ(model_.counters(now_).lost_gpu_ms.at(PreemptionCause::borrow), 3);
}

TEST_F(ReadModelTest, EachCauseCountsFromZero) {
  const Counters counters = model_.counters(now_);
  for (const auto cause : values_of<PreemptionCause>()) {
    EXPECT_EQ(counters.preemptions.at({"q", cause}), 0);
    EXPECT_EQ(counters.estimated_lost_gpu_ms.at(cause), 0);
    EXPECT_EQ(counters.lost_gpu_ms.at(cause), 0);
  }
  EXPECT_EQ(counters.lost_gpu_ms.at(RetryCause::infra), 0);
  EXPECT_EQ(counters.lost_gpu_ms.at(RetryCause::error), 0);
  EXPECT_EQ(counters.lost_gpu_ms.size(), count_of_values<PreemptionCause>() + 2);
}

}  // namespace
}  // namespace ym
