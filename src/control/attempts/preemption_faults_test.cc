// Preemptions that meet stale plans, failed commits, restarts and other servers.
#include "control/controller.h"
#include "control/testing/preemption_fixture.h"

namespace ym {
namespace {

using testing::exits;
using testing::one_node;

class PreemptionFaults : public testing::PreemptionTest {};

TEST_F(PreemptionFaults, APreemptedJobThatEndedMeanwhileMakesThePlanStale) {
  const JobId low = runs("low", 2), also = runs("also", 2);
  const JobId high = submit_at("high", 4, 90);
  const auto plan = preempts(high, {low, also});
  observe(token(low), exits(0));
  controller_->stage(plan);
  EXPECT_FALSE(controller_->has_changes()) << "as a whole or not at all";
  ASSERT_TRUE(controller_->commit());
  EXPECT_EQ(job(also).state, JobState::running);
  EXPECT_TRUE(executor_.stopped().empty());
}

TEST_F(PreemptionFaults, TheSamePlanTwiceStopsOnce) {
  const JobId low = runs("low", 4);
  const auto plan = preempts(submit_at("high", 4, 90), {low});
  controller_->stage(plan);
  controller_->stage(plan);
  ASSERT_TRUE(controller_->commit());
  EXPECT_EQ(executor_.stopped().size(), 1U);
}

TEST_F(PreemptionFaults, APlanThatWasNotStoredStopsNoJob) {
  const JobId low = runs("low", 4);
  const JobId high = submit_at("high", 4, 90);
  store_->fail_next(1);
  controller_->stage(preempts(high, {low}));
  EXPECT_FALSE(controller_->commit());
  EXPECT_TRUE(executor_.stopped().empty());
  EXPECT_EQ(job(low).state, JobState::running);
  EXPECT_FALSE(job(high).nomination);
  preempt(high, {low});
  EXPECT_EQ(executor_.stopped().size(), 1U);
}

TEST_F(PreemptionFaults, AnEndThatWasNotStoredIsReadOnceMore) {
  const JobId low = runs("low", 4);
  const JobId high = submit_at("high", 4, 90);
  preempt(high, {low});
  store_->fail_next(1);
  controller_->stage(Observation{token(low), ended_as_asked()});
  EXPECT_FALSE(controller_->commit());
  EXPECT_TRUE(job(high).nomination);
  ASSERT_TRUE(controller_->commit());
  EXPECT_EQ(job(low).state, JobState::queued);
  EXPECT_EQ(job(low).retries.preempted, 1) << "and counted once";
}

TEST_F(PreemptionFaults, AServerThatWasReplacedStopsNoJob) {
  const auto disk = make_memory_disk();
  store_ = std::make_unique<testing::FlakyStore>(make_memory_store(disk));
  open(one_node());
  const JobId low = runs("low", 4);
  const JobId high = submit_at("high", 4, 90);
  const auto plan = preempts(high, {low});
  auto first = std::move(controller_);
  auto first_store = std::exchange(store_, std::make_unique<testing::FlakyStore>(make_memory_store(disk)));
  open(one_node());
  first->stage(plan);
  EXPECT_EQ(first->commit().error().code, ErrorCode::conflict);
  EXPECT_TRUE(executor_.stopped().empty());
  EXPECT_EQ(job(low).state, JobState::running);
  preempt(high, {low});
  EXPECT_EQ(executor_.stopped().size(), 1U) << "the new one goes on";
  EXPECT_EQ(executor_.stopped().at(0).token, token(low)) << "under the epoch of the launch";
}

TEST_F(PreemptionFaults, SurvivesARestartAtEachStep) {
  const JobId low = runs("low", 4);
  const JobId high = submit_at("high", 4, 90);
  preempt(high, {low});
  const auto nomination = job(high).nomination;
  clock_.advance(seconds(12));
  open(one_node());
  EXPECT_EQ(job(high).nomination, nomination);
  EXPECT_EQ(job(low).state, JobState::stopping);
  ASSERT_EQ(executor_.stopped().size(), 2U) << "the stop is said again";
  EXPECT_EQ(executor_.stopped().back().request.cause, StopCause::preemption);
  EXPECT_EQ(executor_.stopped().back().request.grace, seconds(18)) << "what is left of it";
  clock_.advance(seconds(60));
  open(one_node());
  EXPECT_EQ(executor_.stopped().back().request.grace, seconds(30)) << "what lives still was never told";
  observe(token(low), ended_as_asked());
  open(one_node());
  EXPECT_EQ(executor_.stopped().size(), 3U);
  EXPECT_EQ(job(high).nomination, nomination);
  plan_admissions();
  EXPECT_EQ(job(high).state, JobState::starting) << "the place was kept for it";
  EXPECT_EQ(job(low).state, JobState::queued);
  open(one_node());
  EXPECT_FALSE(job(high).nomination);
  EXPECT_EQ(job(low).retries.preempted, 1);
}

TEST_F(PreemptionFaults, APreemptedJobWithoutContactFreesNothing) {
  const JobId low = runs("low", 4);
  const JobId high = submit_at("high", 4, 90);
  preempt(high, {low});
  observe(token(low), ContactIsLost{"no answer"});
  EXPECT_EQ(job(low).state, JobState::unreachable);
  plan_admissions();
  EXPECT_EQ(job(high).state, JobState::queued);
  observe(token(low), ContactIsBack{});
  EXPECT_EQ(job(low).state, JobState::stopping);
  observe(token(low), ended_as_asked());
  EXPECT_EQ(job(low).retries.preempted, 1);
}

}  // namespace
}  // namespace ym
