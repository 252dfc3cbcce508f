// Elastic jobs that continue at another size: the stop, the nominated placement, and other outcomes.
#include "base/testing/sentences.h"
#include "control/controller.h"
#include "control/testing/preemption_fixture.h"

namespace ym {
namespace {

using testing::expect_sentence;
using testing::node;
using testing::spec_of;

class Resizing : public testing::PreemptionTest {
 protected:
  void SetUp() override { open(two_nodes()); }

  static DesiredState two_nodes() {
    return {.clusters = {{.name = "lab", .executor = "local"}}, .nodes = {node("n1", 4), node("n2", 4)}};
  }

  // On n1, because n2 was taken at its start.
  JobId runs_on_one() {
    auto spec = spec_of("elastic", 4);
    spec.min_nodes = 1;
    spec.nodes = 2;
    spec.priority = 10;
    spec.retry.error_max = 1;
    const JobId elastic = submit(spec);
    const JobId other = submit_at("other", 4, 5);
    plan_admissions_one_node(elastic);
    plan_admissions();
    observe(token(other), testing::exits(0));
    return elastic;
  }

  void plan_admissions_one_node(JobId id) {
    engine::Plan plan{.version = controller_->tables().last_seq};
    plan.decisions.emplace_back(engine::Admission{
        .job = id, .cluster = "lab", .flavor = "default", .placement = {{0, "n1", {"0", "1", "2", "3"}}}});
    controller_->stage(plan);
    ASSERT_TRUE(controller_->commit());
    observe(token(id), TaskIsRunning{0});
  }
};

TEST_F(Resizing, TheStopAndItsPlaceAreOneCommit) {
  const JobId elastic = runs_on_one();
  const auto commits = store_->commits();
  grow(elastic);
  EXPECT_EQ(store_->commits(), commits + 1);
  EXPECT_EQ(job(elastic).state, JobState::stopping);
  EXPECT_EQ(attempt(elastic).stop_cause, StopCause::preemption);
  EXPECT_EQ(attempt(elastic).yields_to, std::nullopt);
  EXPECT_EQ(attempt(elastic).estimated_lost_gpu_ms, 5'000);
  EXPECT_EQ(job(elastic).nomination->placement.size(), 2U);
  for (const auto* event : {"attempt.stopping", "hold.placed"}) expect_sentence(reason_of(event));
  observe(token(elastic), ended_as_asked());
  EXPECT_EQ(attempt(elastic).lost_gpu_ms, 4 * minutes(1).ms) << "a start: it had only begun";
  EXPECT_TRUE(job(elastic).nomination) << "it waits for nothing else";
  plan_admissions();
  EXPECT_EQ(attempt(elastic).placement.size(), 2U);
  EXPECT_EQ(attempt(elastic).number, 2);
  EXPECT_FALSE(job(elastic).nomination);
}

TEST_F(Resizing, NoOtherJobGetsThePlaceMeanwhile) {
  const JobId elastic = runs_on_one();
  grow(elastic);
  const JobId late = submit_at("late", 4, 90);
  plan_admissions();
  EXPECT_EQ(job(late).state, JobState::queued);
}

TEST_F(Resizing, ARestartOfTheServerForgetsNothingOfIt) {
  const JobId elastic = runs_on_one();
  grow(elastic);
  open(two_nodes());
  EXPECT_EQ(job(elastic).nomination->placement.size(), 2U);
  observe(token(elastic), ended_as_asked());
  plan_admissions();
  EXPECT_EQ(attempt(elastic).placement.size(), 2U);
}

TEST_F(Resizing, AJobThatFailsMeanwhileHasNoPlace) {
  const JobId elastic = runs_on_one();
  grow(elastic);
  observe(token(elastic), ended_as_asked(3));
  EXPECT_EQ(job(elastic).state, JobState::queued);
  EXPECT_EQ(job(elastic).retries, (RetryCounts{.error = 1}));
  EXPECT_FALSE(job(elastic).nomination) << "its backoff is for the repair";
}

TEST_F(Resizing, AJobThatCompletesMeanwhileIsDone) {
  const JobId elastic = runs_on_one();
  grow(elastic);
  observe(token(elastic), ProgressIsReported{{.completed = true}});
  observe(token(elastic), ended_as_asked(0));
  EXPECT_EQ(ended(elastic).state, JobState::succeeded);
  EXPECT_FALSE(ended(elastic).nomination);
}

TEST_F(Resizing, AJobThatIsCancelledMeanwhileIsCancelled) {
  const JobId elastic = runs_on_one();
  grow(elastic);
  ASSERT_TRUE(execute(CancelJob{elastic}));
  observe(token(elastic), ended_as_asked());
  EXPECT_EQ(ended(elastic).state, JobState::cancelled);
  EXPECT_FALSE(ended(elastic).nomination);
}

TEST_F(Resizing, WhereQuotaWasTakenAwayItGoesOnWithTheRest) {
  const auto with_gpus = [](std::int64_t gpus) {
    Queue queue{.name = "default", .shrink_after = minutes(10)};
    queue.quota.emplace()["default"][static_cast<std::size_t>(ResourceKind::gpus)] = Quota{.nominal = gpus * kMilli};
    return queue;
  };
  ASSERT_TRUE(execute(ApplyQueues{.queues = {with_gpus(8)}}));
  auto spec = spec_of("elastic", 4);
  spec.min_nodes = 1;
  spec.nodes = 2;
  const JobId elastic = submit(spec);
  plan_admissions();
  observe(token(elastic), TaskIsRunning{0});
  observe(token(elastic), TaskIsRunning{1});
  const Checkpoint saved{.uri = "/ck", .step = 7, .durable_at = clock_.now()};
  observe(token(elastic), ProgressIsReported{{.checkpoint = saved}});
  ASSERT_TRUE(execute(ApplyQueues{.queues = {with_gpus(4)}}));
  clock_.advance(minutes(10));
  schedule();
  EXPECT_EQ(attempt(elastic).stop_cause, StopCause::preemption);
  EXPECT_EQ(attempt(elastic).yields_to, std::nullopt);
  expect_sentence(reason_of("attempt.stopping"));
  ASSERT_TRUE(job(elastic).nomination);
  EXPECT_EQ(job(elastic).nomination->placement.size(), 1U);
  for (const std::int32_t task : {0, 1}) observe(token(elastic), ended_as_asked(143, task));
  plan_admissions();
  EXPECT_EQ(attempt(elastic).placement.size(), 1U);
  EXPECT_EQ(attempt(elastic).resumes_from->step, 7);
}

TEST_F(Resizing, AJobThatTakesTooLongGivesThePlaceUp) {
  const JobId elastic = runs_on_one();
  grow(elastic);
  observe(token(elastic), ContactIsLost{});
  clock_.advance(minutes(4));
  schedule();
  EXPECT_FALSE(job(elastic).nomination);
  EXPECT_EQ(job(elastic).state, JobState::unreachable);
  expect_sentence(reason_of("hold.ended"));
}

}  // namespace
}  // namespace ym
