#include "control/serve/why_it_runs.h"

#include <gtest/gtest.h>

#include "base/testing/sentences.h"

namespace ym {
namespace {

using testing::expect_sentence;

constexpr Instant kStart{1'800'000'000'000};

// A view that can be changed.
struct Running {
  Job job;
  std::vector<Attempt> attempts;
  // NOLINTNEXTLINE(google-explicit-constructor): it is given as one
  operator JobView() const { return {job, {attempts.begin(), attempts.end()}}; }
};

Running running() {
  JobSpec spec;
  spec.time_limit = hours(2);
  Job job{.spec = std::make_shared<const JobSpec>(spec)};
  job.state = JobState::running;
  job.waits_since = kStart;
  job.priority = 40;
  Attempt attempt{.job = {7}, .number = 1, .state = AttemptState::running, .cluster = "lab", .queue = "a"};
  attempt.flavor = "t4";
  attempt.placement = {{.task = 0, .node = "n1", .devices = {}}, {.task = 1, .node = "n2", .devices = {}}};
  attempt.admitted_at = kStart + minutes(3);
  attempt.started_at = attempt.admitted_at;
  return {.job = job, .attempts = {attempt}};
}

QueueView queue_with(std::optional<std::int64_t> nominal, std::int64_t borrowed) {
  QueueView view{.queue = {.name = "a"}};
  view.usage.push_back({.queue = "a",
                        .flavor = "t4",
                        .kind = ResourceKind::gpus,
                        .nominal = nominal,
                        .used = 16'000,
                        .borrowed = borrowed});
  return view;
}

TEST(WhyItRuns, SaysWhereItIsWhichJobsMayStopItAndWhenItEnds) {
  for (const auto& line : why_it_runs(running(), queue_with(8'000, 8'000), Scoring::fgd, kStart + minutes(5)))
    expect_sentence(line);
}

TEST(WhyItRuns, AnEndThatIsExpectedComesBeforeTheLimit) {
  Running view = running();
  view.job.predicted = PredictedRunTime{.p10 = minutes(1), .p50 = minutes(30), .p90 = hours(1), .samples = 12};
  for (const Duration later : {minutes(5), hours(1)})
    expect_sentence(why_it_runs(view, queue_with(8'000, 0), Scoring::fgd, kStart + later).back());
}

TEST(WhyItRuns, NoEndIsExpectedBeyondTheLimit) {
  Running view = running();
  view.job.predicted = PredictedRunTime{.p10 = hours(1), .p50 = hours(5), .p90 = hours(6), .samples = 3};
  expect_sentence(why_it_runs(view, queue_with(8'000, 0), Scoring::fgd, kStart + minutes(5)).back());
}

TEST(WhyItRuns, WithoutQuotaAndPreemption) {
  Running view = running();
  JobSpec spec = *view.job.spec;
  spec.stop.preemptible = false;
  spec.time_limit.reset();
  view.job.spec = std::make_shared<const JobSpec>(spec);
  for (const auto& line : why_it_runs(view, queue_with({}, 0), Scoring::fgd, kStart + minutes(5)))
    expect_sentence(line);
}

TEST(WhyItRuns, APreemptedJobShowsThePreemptingJobAndWhatItLoses) {
  Running view = running();
  Attempt& attempt = view.attempts.back();
  attempt.stop_cause = StopCause::preemption;
  attempt.preemption = PreemptionCause::reclaim;
  attempt.yields_to = JobId{9};
  attempt.stop_by = kStart + minutes(6);
  attempt.estimated_lost_gpu_ms = 90'500;
  const auto told = [&] { return why_it_runs(view, queue_with(8'000, 0), Scoring::fgd, kStart + minutes(5)).front(); };
  expect_sentence(told());
  attempt.yields_to.reset();
  for (const PreemptionCause cause : {PreemptionCause::drain, PreemptionCause::shrink, PreemptionCause::resize}) {
    attempt.preemption = cause;
    expect_sentence(told());
  }
}

TEST(WhyItRuns, AJobThatGoesOnAtAnotherSizeIsToldHowLarge) {
  Running view = running();
  Attempt& attempt = view.attempts.back();
  attempt.stop_cause = StopCause::preemption;
  attempt.preemption = PreemptionCause::resize;
  attempt.placement.resize(1);
  view.job.nomination.emplace().placement.resize(2);
  const auto told = [&] { return why_it_runs(view, queue_with(8'000, 0), Scoring::fgd, kStart + minutes(5)).front(); };
  expect_sentence(told());
  attempt.placement.resize(3);
  attempt.preemption = PreemptionCause::shrink;
  expect_sentence(told());
  attempt.yields_to = JobId{9};
  expect_sentence(told());
}

TEST(WhyItRuns, SaysWhatWasAskedOfTheNodes) {
  Running view = running();
  JobSpec spec = *view.job.spec;
  spec.placement = PlacementRules{.select = {{"zone", "a"}}, .exclude = {"n3", "n4"}, .required_level = "block"};
  view.job.spec = std::make_shared<const JobSpec>(spec);
  const auto nodes_of = [&](Scoring scoring) {
    return why_it_runs(view, queue_with(8'000, 0), scoring, kStart + minutes(5)).at(2);
  };
  expect_sentence(nodes_of(Scoring::pack));
  spec.placement =
      PlacementRules{.preferred_level = "rack", .slice = SliceRule{.level = "rack", .nodes = 4}, .anchor = 2};
  view.job.spec = std::make_shared<const JobSpec>(spec);
  expect_sentence(nodes_of(Scoring::spread));
}

}  // namespace
}  // namespace ym
