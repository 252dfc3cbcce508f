// A preemption from its decision to the admission of the preempting job, for all ends of the others.
#include "base/testing/sentences.h"
#include "control/controller.h"
#include "control/testing/preemption_fixture.h"

namespace ym {
namespace {

using testing::exits;
using testing::expect_sentence;
using testing::node;
using testing::spec_of;

class Preempting : public testing::PreemptionTest {};

TEST_F(Preempting, StopsAndTheNominatedPlacementAreOneCommit) {
  const JobId low = runs("low", 2), also = runs("also", 2, seconds(60));
  const JobId high = submit_at("high", 4, 90);
  const auto commits = store_->commits();
  preempt(high, {low, also});
  EXPECT_EQ(store_->commits(), commits + 1);
  EXPECT_EQ(job(low).state, JobState::stopping);
  const Attempt stopped = attempt(low);
  EXPECT_EQ(stopped.stop_cause, StopCause::preemption);
  EXPECT_EQ(stopped.yields_to, high);
  EXPECT_EQ(stopped.estimated_lost_gpu_ms, 60'000);
  EXPECT_EQ(stopped.stop_by, clock_.now() + seconds(30));
  EXPECT_EQ(attempt(also).stop_by, clock_.now() + seconds(60));
  ASSERT_TRUE(job(high).nomination);
  EXPECT_EQ(job(high).nomination->preempted_jobs, (std::vector{low, also}));
  EXPECT_EQ(job(high).nomination->expires_at, clock_.now() + minutes(3));
  EXPECT_EQ(job(high).nomination->placement.at(0).devices.size(), 4U);
  ASSERT_EQ(executor_.stopped().size(), 2U);
  EXPECT_EQ(executor_.stopped().at(1).request.cause, StopCause::preemption);
  EXPECT_EQ(executor_.stopped().at(1).request.grace, seconds(60));
  for (const auto* event : {"attempt.stopping", "hold.placed"}) expect_sentence(reason_of(event));
}

TEST_F(Preempting, APreemptedJobWaitsAtItsOldPositionAndThePlaceIsTheHolders) {
  const JobId low = runs("low", 4);
  const auto submitted = job(low).submitted_at;
  const JobId high = submit_at("high", 4, 90);
  clock_.advance(minutes(1));
  preempt(high, {low});
  observe(token(low), ended_as_asked());
  EXPECT_EQ(job(low).state, JobState::queued);
  EXPECT_EQ(job(low).submitted_at, submitted);
  EXPECT_EQ(job(low).not_before, std::nullopt) << "no backoff";
  EXPECT_EQ(job(low).waits_since, clock_.now()) << "it did not wait while it ran";
  EXPECT_EQ(job(low).retries, (RetryCounts{.preempted = 1}));
  EXPECT_EQ(job(low).preempted_at, std::vector{clock_.now()});
  EXPECT_EQ(attempt(low).ended_by, EndedBy::preempted);
  EXPECT_EQ(attempt(low).exit_code, 143);
  expect_sentence(job(low).message);
  plan_admissions();
  EXPECT_EQ(job(high).state, JobState::starting);
  EXPECT_FALSE(job(high).nomination) << "an admission ends it";
  EXPECT_EQ(job(low).state, JobState::queued);
}

TEST_F(Preempting, APreemptedJobThatCompletesWithinItsGraceHasSucceeded) {
  const JobId low = runs("low", 4);
  const JobId high = submit_at("high", 4, 90);
  preempt(high, {low});
  observe(token(low), ProgressIsReported{{.step = 10, .completed = true}});
  observe(token(low), ended_as_asked(0));
  EXPECT_EQ(ended(low).state, JobState::succeeded);
  plan_admissions();
  EXPECT_EQ(job(high).state, JobState::starting);
}

TEST_F(Preempting, AnErrorWithinTheGraceIsTheJobsOwn) {
  const JobId low = runs("low", 4);
  preempt(submit_at("high", 4, 90), {low});
  observe(token(low), ended_as_asked(3));
  EXPECT_EQ(ended(low).state, JobState::failed);
  EXPECT_EQ(attempt(low).ended_by, EndedBy::exit);
  expect_sentence(ended(low).message);
}

TEST_F(Preempting, ACancelledPreemptedJobIsCancelledAndItsGraceIsNoLonger) {
  const JobId low = runs("low", 4);
  const JobId high = submit_at("high", 4, 90);
  preempt(high, {low});
  clock_.advance(seconds(10));
  ASSERT_TRUE(execute(CancelJob{low}));
  EXPECT_EQ(executor_.stopped().back().request.grace, seconds(20));
  EXPECT_TRUE(job(high).nomination);
  observe(token(low), ProgressIsReported{{.completed = true}});
  observe(token(low), ended_as_asked(0));
  EXPECT_EQ(ended(low).state, JobState::cancelled) << "whatever it does";
  EXPECT_EQ(attempt(low).ended_by, EndedBy::cancelled);
  plan_admissions();
  EXPECT_EQ(job(high).state, JobState::starting);
}

TEST_F(Preempting, APreemptorThatIsCancelledKeepsNoPlace) {
  const JobId low = runs("low", 4);
  const JobId high = submit_at("high", 4, 90);
  preempt(high, {low});
  ASSERT_TRUE(execute(CancelJob{high}));
  EXPECT_EQ(ended(high).state, JobState::cancelled);
  EXPECT_FALSE(ended(high).nomination);
  EXPECT_EQ(job(low).state, JobState::stopping) << "it was told, and goes its way";
  observe(token(low), ended_as_asked());
  plan_admissions();
  EXPECT_EQ(job(low).state, JobState::starting) << "the place is anybody's";
  EXPECT_EQ(job(low).attempts, 2);
}

TEST_F(Preempting, APreemptorThatIsHeldKeepsNoPlace) {
  const JobId low = runs("low", 4);
  const JobId high = submit_at("high", 4, 90);
  preempt(high, {low});
  ASSERT_TRUE(execute(HoldJob{high}));
  EXPECT_FALSE(job(high).nomination);
  observe(token(low), ended_as_asked());
  plan_admissions();
  EXPECT_EQ(job(low).state, JobState::starting);
}

TEST_F(Preempting, AReleasedPlaceIsFreeForAllJobs) {
  const JobId low = runs("low", 4);
  const JobId high = submit_at("high", 4, 90);
  preempt(high, {low});
  engine::Plan plan;
  plan.decisions.emplace_back(engine::NominationRelease{high, "it was kept for 3m"});
  controller_->stage(plan);
  ASSERT_TRUE(controller_->commit());
  EXPECT_FALSE(job(high).nomination);
  EXPECT_EQ(job(high).state, JobState::queued);
  EXPECT_EQ(reason_of("hold.ended"), "it was kept for 3m");
  controller_->stage(plan);
  EXPECT_FALSE(controller_->has_changes()) << "there is nothing to release";
}

TEST_F(Preempting, APreemptedJobThatNeverStartedIsNoFailedStart) {
  const JobId low = submit_at("low", 4, 10);
  plan_admissions();
  preempt(submit_at("high", 4, 90), {low});
  observe(token(low), LaunchRefused{"preempted before user code started"});
  EXPECT_EQ(job(low).state, JobState::queued);
  EXPECT_EQ(job(low).retries, (RetryCounts{.preempted = 1}));
}

TEST_F(Preempting, EveryStopSaysUntilWhen) {
  open({.clusters = {{.name = "lab", .executor = "local"}}, .nodes = {node("n1", 4), node("n2", 4)}});
  const JobId cancelled = runs("cancelled", 1);
  ASSERT_TRUE(execute(CancelJob{cancelled}));
  EXPECT_EQ(attempt(cancelled).stop_by, clock_.now() + seconds(30));
  auto spec = spec_of("gang", 1);
  spec.nodes = 2;
  const JobId gang = submit(spec);
  plan_admissions();
  observe(token(gang), TaskIsRunning{0});
  observe(token(gang), TaskIsRunning{1});
  observe(token(gang), exits(1, 0));
  EXPECT_EQ(attempt(gang).stop_cause, StopCause::gang_failure);
  EXPECT_EQ(attempt(gang).stop_by, clock_.now() + seconds(30));
}

TEST_F(Preempting, ALimitOfItsOwnEndsTheJob) {
  auto spec = spec_of("low", 4);
  spec.retry.preempted_max = 0;
  spec.priority = 10;
  const JobId low = submit(spec);
  plan_admissions();
  observe(token(low), TaskIsRunning{0});
  const JobId high = submit_at("high", 4, 90);
  preempt(high, {low});
  observe(token(low), ended_as_asked());
  EXPECT_EQ(ended(low).state, JobState::failed);
  expect_sentence(ended(low).message);
}

}  // namespace
}  // namespace ym
