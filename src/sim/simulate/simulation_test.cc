#include "sim/simulate/simulation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/testing/sentences.h"
#include "sim/simulate/summary.h"
#include "sim/testing/t4_node.h"
#include "sim/testing/temp_file.h"

namespace ym::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Simulation : public ::testing::Test {
 protected:
  void SetUp() override {
    options_.site.desired = {.clusters = {{.name = "lab", .executor = "simulated"}},
                             .nodes = {t4_node("n1", 8), t4_node("n2", 8)}};
    options_.jobs.queues = {"default"};
  }

  // `rows`: submit, run_time, gpus, priority.
  Result<SimulationEnd> simulate(const std::string& rows) {
    const TempFile file("submit,run_time,gpus,priority\n" + rows);
    auto workload = Workload::open({.path = file.path()});
    if (!workload) return std::unexpected(workload.error());
    records_.clear();
    return without_path(
        sim::simulate(*workload, options_, [&](const JobRecord& record) { records_.push_back(record); }), file.path());
  }

  // The start of each job, by its id, in seconds after the first submit.
  std::vector<double> starts(Instant begin) const {
    std::map<JobId, double> by_id;
    for (const auto& record : records_) by_id[record.id] = static_cast<double>((*record.started_at - begin).ms) / 1000;
    std::vector<double> starts;
    for (const auto& [id, start] : by_id) starts.push_back(start);
    return starts;
  }

  SimulationOptions options_;
  std::vector<JobRecord> records_;
};

// They run one after another, so they end in this order.
constexpr std::string_view kOfQueues =
    "submit,run_time,gpus,user,queue\n0,1,1,eve,\n10,1,1,ann,\n20,1,1,eve,elsewhere\n30,1,1,ann,a\n40,1,1,eve,"
    "default\n";

TEST_F(Simulation, AJobWithoutAQueueInThePolicyGoesToADefaultOne) {
  options_.site.desired.queues = {{.name = "a"}, {.name = "b", .default_for = {.users = {"ann"}, .projects = {}}}};
  options_.jobs.queues = {"a", "b"};
  const TempFile file{std::string(kOfQueues)};
  auto workload = Workload::open({.path = file.path()});
  ASSERT_TRUE(workload) << workload.error().message;
  std::vector<std::string> queues;
  const auto end = sim::simulate(*workload, options_, [&](const JobRecord& record) { queues.push_back(record.queue); });
  ASSERT_TRUE(end) << end.error().message;
  EXPECT_THAT(queues, ElementsAre("default", "b", "default", "a", "default"));
  EXPECT_EQ(end->refused, 0);
  EXPECT_EQ(end->moved_queue, 1) << "the one of `elsewhere`";
}

TEST_F(Simulation, JobsWaitForTheJobsBeforeThem) {
  const auto end = simulate("0,100,8,\n0,50,8,\n10,30,8,\n20,30,16,\n");
  ASSERT_TRUE(end) << end.error().message;
  EXPECT_THAT(starts(end->begin), ElementsAre(0, 0, 50, 100));
  EXPECT_EQ(end->end - end->begin, seconds(130));
  EXPECT_EQ(end->gpu_milli, 16'000);
  EXPECT_EQ(end->used_gpu_ms, (100 + 50 + 30) * 8'000 + 30 * 16'000);
  EXPECT_EQ(end->submitted, 4);
  EXPECT_EQ(end->never_started + end->unfinished + end->refused, 0);
}

TEST_F(Simulation, TheSameAgainIsTheSame) {
  std::string rows;
  for (int i = 0; i < 200; ++i)
    rows += std::to_string(i * 7 % 100) + "," + std::to_string(10 + i * 13 % 90) + "," + std::to_string(1 + i % 16) +
            "," + std::to_string(i % 3 * 20 + 30) + "\n";
  const auto first = simulate(rows);
  ASSERT_TRUE(first) << first.error().message;
  const auto ends = [&] {
    std::vector<std::tuple<JobId, Instant, std::int32_t>> seen;
    for (const auto& record : records_) seen.emplace_back(record.id, record.ended_at, record.preemptions);
    return seen;
  };
  const auto before = ends();
  const auto second = simulate(rows);
  EXPECT_EQ(ends(), before);
  EXPECT_EQ(before.size(), 200U);
  EXPECT_EQ(first->events, second->events);
  EXPECT_EQ(first->cycles, second->cycles);
}

TEST_F(Simulation, AStoppedJobBeginsAnewOrGoesOnFromItsCheckpoint) {
  const std::string rows = "0,100,16,20\n40,10,16,80\n";
  ASSERT_TRUE(simulate(rows));
  ASSERT_EQ(records_.size(), 2U);
  EXPECT_EQ(records_[1].preemptions, 1);
  EXPECT_EQ(records_[1].ended_at - records_[1].submitted_at, seconds(40 + 10 + 100)) << "all of it is done again";
  EXPECT_EQ(records_[1].lost_gpu_ms, 40 * 16'000);
  EXPECT_EQ(records_[0].lost_gpu_ms, 0);
  options_.jobs.checkpoints = Duration{};
  ASSERT_TRUE(simulate(rows));
  EXPECT_EQ(records_[1].ended_at - records_[1].submitted_at, seconds(40 + 10 + 60));
  EXPECT_EQ(records_[1].lost_gpu_ms, 0);
  options_.jobs.start_time = seconds(5);
  ASSERT_TRUE(simulate(rows));
  EXPECT_EQ(records_[1].ended_at - records_[1].submitted_at, seconds(40 + 15 + 5 + 65));
  EXPECT_EQ(records_[1].lost_gpu_ms, 10 * 16'000) << "two starts";
}

TEST_F(Simulation, WhatCanNeverRunIsGivenUp) {
  const auto end = simulate("0,10,8,\n0,10,999,\n");
  ASSERT_TRUE(end) << end.error().message;
  EXPECT_EQ(end->never_started, 1);
  EXPECT_EQ(records_.size(), 1U);
  EXPECT_EQ(end->end - end->begin, seconds(10));
  EXPECT_EQ(end->can_never_run, 1);
  ASSERT_EQ(end->never.size(), 1U);
  EXPECT_EQ(end->never[0].line, 3);
  EXPECT_THAT(end->never[0].why, HasSubstr("125")) << "nodes of 8 GPUs";
}

TEST_F(Simulation, OfManyThatCanNeverRunTheFirstAreNamed) {
  std::string rows = "0,10,8,\n";
  for (int i = 0; i < 9; ++i) rows += "1,10,99,\n";
  const auto end = simulate(rows);
  ASSERT_TRUE(end) << end.error().message;
  EXPECT_EQ(end->can_never_run, 9);
  EXPECT_EQ(end->idle_while_waiting_gpu_ms, 0) << "jobs that are not named do not count either";
  EXPECT_EQ(end->never.size(), 5U);
}

TEST_F(Simulation, EndsWhereItIsToldTo) {
  options_.until = *parse_rfc3339("2001-01-01T00:01:00Z");
  const auto end = simulate("0,30,8,\n0,600,8,\n70,1,1,\n");
  ASSERT_TRUE(end) << end.error().message;
  EXPECT_EQ(end->submitted, 2);
  EXPECT_EQ(end->unfinished, 1);
  EXPECT_EQ(end->end, *options_.until);
  EXPECT_EQ(end->used_gpu_ms, 30 * 8'000 + 60 * 8'000);
}

TEST_F(Simulation, CountsWhatIsScatteredAndIdleWhileSomeWait) {
  options_.site.desired.nodes = {t4_node("n1", 8), t4_node("n2", 4)};
  const auto end = simulate("0,60,6,\n0,30,8,\n");
  ASSERT_TRUE(end) << end.error().message;
  EXPECT_EQ(end->scattered_gpu_ms, 60'000 * 2) << "two beside the six; nothing beside the eight";
  EXPECT_EQ(end->idle_while_waiting_gpu_ms, 60'000 * 6);
}

TEST_F(Simulation, NothingIsIdleBecauseOfAJobThatCanNeverRun) {
  const auto end = simulate("0,10,8,\n0,10,999,\n");
  ASSERT_TRUE(end) << end.error().message;
  EXPECT_EQ(end->can_never_run, 1);
  EXPECT_EQ(end->idle_while_waiting_gpu_ms, 0);
  const auto other = simulate("0,60,8,\n0,10,999,\n0,10,16,\n70,10,8,\n");
  ASSERT_TRUE(other) << other.error().message;
  EXPECT_EQ(other->idle_while_waiting_gpu_ms, 60'000 * 8) << "beside the first, while the third waits";
}

TEST_F(Simulation, SlicesCountAsWhatTheyAre) {
  Node sliced{.name = "n3", .cluster = "lab", .gpu_type = "t4", .cpus = 64 * kMilli};
  for (int i = 0; i < 7; ++i) sliced.devices.push_back({.id = std::to_string(i), .profile = "1g.5gb"});
  options_.site.desired.nodes = {t4_node("n1", 8), sliced};
  const auto end = simulate("0,10,8,\n");
  ASSERT_TRUE(end) << end.error().message;
  EXPECT_EQ(end->gpu_milli, 8'000 + 7 * 142);
}

TEST_F(Simulation, CostsWhatFlavorsDo) {
  options_.site.desired.flavors = {{.name = "t4", .gpu_type = "t4", .price_micros_per_gpu_hour = 3'600'000}};
  ASSERT_TRUE(simulate("0,100,8,\n0,50,1,\n"));
  ASSERT_EQ(records_.size(), 2U);
  EXPECT_EQ(records_[0].cost_micros, 50'000) << "a thousandth for each second of a GPU";
  EXPECT_EQ(records_[1].cost_micros, 800'000);
}

TEST_F(Simulation, CostsOfWhatIsNotOverCount) {
  options_.site.desired.flavors = {{.name = "t4", .gpu_type = "t4", .price_micros_per_gpu_hour = 3'600'000}};
  options_.until = *parse_rfc3339("2001-01-01T00:01:00Z");
  const auto end = simulate("0,30,8,\n0,600,8,\n");
  ASSERT_TRUE(end) << end.error().message;
  EXPECT_EQ(end->cost_micros, (30 + 60) * 8'000);
}

// Nothing is known for the first waiting job, because no job has a limit. When the last one comes, three have ended:
// usually 50 seconds are left, 200 if the running one is slow, and a tenth of that if it is fast.
TEST_F(Simulation, ForeseesWhenJobsStart) {
  options_.forecasts_every = seconds(30);
  const auto end = simulate("0,100,16,\n10,100,16,\n20,100,16,\n600,100,16,\n650,100,16,\n");
  ASSERT_TRUE(end) << end.error().message;
  ASSERT_EQ(end->forecasts.size(), 2U) << "the third came too soon, the fourth did not wait";
  EXPECT_EQ(end->forecasts[0].none, engine::NoStart::no_time_limit);
  EXPECT_EQ(*end->forecasts[0].started_at - end->begin, seconds(100));
  const auto& later = end->forecasts[1];
  ASSERT_TRUE(later.foreseen);
  EXPECT_EQ(later.foreseen->low - later.made.as_of, seconds(20));
  EXPECT_EQ(later.foreseen->median - later.made.as_of, seconds(50));
  EXPECT_EQ(*later.foreseen->high - later.made.as_of, seconds(200));
  EXPECT_EQ(*later.started_at - later.made.as_of, seconds(50));
  options_.forecasts_every = {};
  EXPECT_TRUE(simulate("0,100,16,\n10,100,16,\n")->forecasts.empty());
}

TEST_F(Simulation, WhatIsWrongInTheTraceEndsIt) {
  testing::expect_refused(simulate("0,30,8,\n0,-1,8,\n"), ErrorCode::invalid);
  testing::expect_refused(simulate("0,30,999999999,\n"), ErrorCode::invalid);
}

}  // namespace
}  // namespace ym::sim
