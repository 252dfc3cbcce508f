#include "control/serve/why_it_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ym {
namespace {

using ::testing::ElementsAre;

constexpr auto kNodes = "n1 and 1 more were chosen by placement fgd";
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

TEST(WhyItRuns, SaysWhereItIsWhoMayStopItAndWhenItEnds) {
  EXPECT_THAT(
      why_it_runs(running(), queue_with(8'000, 8'000), Scoring::fgd, kStart + minutes(5)),
      ElementsAre("admitted after waiting 3m: flavor t4 of cluster lab, n1 and 1 more",
                  "queue a uses 16 GPUs of flavor t4, its quota is 8 GPUs, 8 GPUs of them borrowed", kNodes,
                  "jobs of its queue with a priority above 40 may stop it, and so may queues that want lent quota back",
                  "ends by 2027-01-15 10:03:00 UTC, its time limit"));
}

TEST(WhyItRuns, AnEndThatIsExpectedComesBeforeTheLimit) {
  Running view = running();
  view.job.predicted = PredictedRunTime{.p10 = minutes(1), .p50 = minutes(30), .p90 = hours(1), .samples = 12};
  EXPECT_EQ(why_it_runs(view, queue_with(8'000, 0), Scoring::fgd, kStart + minutes(5)).back(),
            "expected to end about 2027-01-15 08:33:00 UTC, as 12 other jobs did; ends by 2027-01-15 10:03:00 UTC, "
            "its time limit");
  EXPECT_EQ(why_it_runs(view, queue_with(8'000, 0), Scoring::fgd, kStart + hours(1)).back(),
            "has run for longer than half of 12 other jobs; ends by 2027-01-15 10:03:00 UTC, its time limit");
}

TEST(WhyItRuns, NoEndIsExpectedBeyondTheLimit) {
  Running view = running();
  view.job.predicted = PredictedRunTime{.p10 = hours(1), .p50 = hours(5), .p90 = hours(6), .samples = 3};
  EXPECT_EQ(why_it_runs(view, queue_with(8'000, 0), Scoring::fgd, kStart + minutes(5)).back(),
            "expected to end about 2027-01-15 10:03:00 UTC, as 3 other jobs did; ends by 2027-01-15 10:03:00 UTC, its "
            "time limit");
}

TEST(WhyItRuns, WithoutQuotaAndPreemption) {
  Running view = running();
  JobSpec spec = *view.job.spec;
  spec.stop.preemptible = false;
  spec.time_limit.reset();
  view.job.spec = std::make_shared<const JobSpec>(spec);
  EXPECT_THAT(why_it_runs(view, queue_with({}, 0), Scoring::fgd, kStart + minutes(5)),
              ElementsAre("admitted after waiting 3m: flavor t4 of cluster lab, n1 and 1 more",
                          "queue a has no quota of GPUs of flavor t4: only the machines limit it", kNodes,
                          "no job may preempt it: its preemption.allow is false"));
}

TEST(WhyItRuns, AVictimIsToldForWhomAndWhatItLoses) {
  Running view = running();
  Attempt& attempt = view.attempts.back();
  attempt.stop_cause = StopCause::preemption;
  attempt.preemption = PreemptionCause::reclaim;
  attempt.yields_to = JobId{9};
  attempt.stop_by = kStart + minutes(6);
  attempt.estimated_lost_gpu_ms = 90'500;
  EXPECT_EQ(
      why_it_runs(view, queue_with(8'000, 0), Scoring::fgd, kStart + minutes(5)).front(),
      "makes room for job 00000009, is killed at 2027-01-15 08:06:00 UTC; about 90.500 GPU-seconds must be repeated, "
      "less if it saves before its end; the lowest priority stops first, then jobs that borrow, then jobs that lose "
      "least");
  attempt.yields_to.reset();
  const auto told = [&](PreemptionCause cause) {
    attempt.preemption = cause;
    const auto because = why_it_runs(view, queue_with(8'000, 0), Scoring::fgd, kStart + minutes(5));
    return because.front().substr(0, because.front().find(", is killed at"));
  };
  EXPECT_EQ(told(PreemptionCause::drain), "its queue is drained");
  EXPECT_EQ(told(PreemptionCause::shrink), "its queue has less quota than it had");
  EXPECT_EQ(told(PreemptionCause::resize), "was to go on at another size, and took too long");
}

TEST(WhyItRuns, WhoGoesOnAtAnotherSizeIsToldHowLarge) {
  Running view = running();
  Attempt& attempt = view.attempts.back();
  attempt.stop_cause = StopCause::preemption;
  attempt.preemption = PreemptionCause::resize;
  attempt.placement.resize(1);
  view.job.hold.emplace().placement.resize(2);
  const auto told = [&] { return why_it_runs(view, queue_with(8'000, 0), Scoring::fgd, kStart + minutes(5)).front(); };
  EXPECT_TRUE(told().starts_with("goes on with 2 nodes instead of 1: no job waits for the added nodes;")) << told();
  attempt.placement.resize(3);
  attempt.preemption = PreemptionCause::shrink;
  EXPECT_TRUE(told().starts_with("goes on with 2 nodes instead of 3: its queue has less quota than it had;")) << told();
  attempt.yields_to = JobId{9};
  EXPECT_TRUE(told().starts_with("makes room for job 00000009 and goes on with 2 nodes instead of 3;")) << told();
}

TEST(WhyItRuns, SaysWhatWasAskedOfTheNodes) {
  Running view = running();
  JobSpec spec = *view.job.spec;
  spec.placement = {.select = {{"zone", "a"}}, .exclude = {"n3", "n4"}, .required_level = "block"};
  view.job.spec = std::make_shared<const JobSpec>(spec);
  const auto nodes_of = [&](Scoring scoring) {
    return why_it_runs(view, queue_with(8'000, 0), scoring, kStart + minutes(5)).at(2);
  };
  EXPECT_EQ(nodes_of(Scoring::pack),
            "n1 and 1 more were chosen by placement pack (asked for: with zone=a; not n3, n4; all in one block)");
  spec.placement = {.preferred_level = "rack", .slice = SliceRule{.level = "rack", .nodes = 4}, .anchor = 2};
  view.job.spec = std::make_shared<const JobSpec>(spec);
  EXPECT_EQ(nodes_of(Scoring::spread),
            "n1 and 1 more were chosen by placement spread (asked for: each 4 in one rack; as close as possible by "
            "rack; the first 2 not spot)");
}

}  // namespace
}  // namespace ym
