// Longer runs in which stops undid each other in earlier versions (docs/design/0029).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "sim/simulate/simulation.h"
#include "sim/testing/t4_node.h"
#include "sim/testing/temp_file.h"

namespace ym::sim {
namespace {

class StopsOfLives : public ::testing::Test {
 protected:
  void SetUp() override {
    options_.site.desired.clusters = {{.name = "lab", .executor = "simulated"}};
    options_.site.desired.flavors = {{.name = "t4", .gpu_type = "t4"}};
    options_.site.desired.queues = {{.name = "org"}};
  }

  void add_nodes(int nodes, int gpus) {
    for (int i = 1; i <= nodes; ++i) options_.site.desired.nodes.push_back(t4_node("n" + std::to_string(i), gpus));
  }

  // `borrow` below zero: no limit.
  void add_queue(const std::string& name, int nominal, int borrow, const MinRuntime& min_runtime = {}) {
    Queue queue{.name = name, .parent = "org"};
    Quota gpus{.nominal = nominal * kMilli, .borrowing_limit = {}, .lending_limit = {}};
    if (borrow >= 0) gpus.borrowing_limit = borrow * kMilli;
    queue.quota.emplace();
    (*queue.quota)["t4"][static_cast<std::size_t>(ResourceKind::gpus)] = gpus;
    queue.min_runtime = min_runtime;
    options_.site.desired.queues.push_back(queue);
    options_.jobs.queues.insert(name);
  }

  // `rows`: id, submit, run_time, gpus, nodes, queue, priority.
  void simulate(const std::string& rows) {
    const TempFile file("id,submit,run_time,gpus,nodes,queue,priority\n" + rows);
    auto workload = Workload::open({.path = file.path()});
    ASSERT_TRUE(workload) << workload.error().message;
    const auto end = sim::simulate(*workload, options_, [&](const JobRecord& record) {
      stops_[record.trace_id] = record.preemptions;
      lost_gpu_s_ += record.lost_gpu_ms / 1000;
      last_end_ = std::max(last_end_, record.ended_at);
    });
    ASSERT_TRUE(end) << end.error().message;
    lasted_ = last_end_ - end->begin;
  }

  SimulationOptions options_;
  std::map<std::string, int> stops_;
  std::int64_t lost_gpu_s_ = 0;
  Instant last_end_{};
  Duration lasted_;
};

constexpr const char* kFive =
    "agang,0,7200,4,2,team-a,50\nbbig,1,3600,4,1,team-b,70\nbone,2,7200,1,1,team-b,50\nclow,3,7200,1,1,team-c,10\n"
    "ctrain,10,3600,4,1,team-c,50\n";

// Earlier versions: 9 stops, until a budget ended it.
TEST_F(StopsOfLives, ABorrowerIsNotLetInWhereItIsTakenBackAtOnce) {
  add_nodes(3, 4);
  add_queue("team-a", 4, 4);
  add_queue("team-b", 4, -1);
  add_queue("team-c", 4, -1);
  simulate(kFive);
  for (const auto& [job, stops] : stops_) EXPECT_LE(stops, 1) << job;
  EXPECT_EQ(lost_gpu_s_, 0);
  EXPECT_EQ(lasted_, seconds(7203));
}

// Earlier versions: 32 stops; 9.9 of 20 GPU-hours were lost, and it took 3 h 40.
TEST_F(StopsOfLives, MinimumRunTimesDoNotBringThemBack) {
  add_nodes(3, 4);
  add_queue("team-a", 4, 4, {.reclaim = minutes(5)});
  add_queue("team-b", 4, -1, {.reclaim = minutes(5)});
  add_queue("team-c", 4, -1, {.reclaim = minutes(5)});
  simulate(kFive);
  for (const auto& [job, stops] : stops_) EXPECT_LE(stops, 1) << job;
  EXPECT_EQ(lost_gpu_s_, 0);
  EXPECT_EQ(lasted_, seconds(7203));
}

constexpr const char* kFourQueues =
    "j0,2,5400,1,1,q3,50\nj1,2,5400,1,1,q3,10\nj2,4,7200,1,1,q1,50\nj3,5,7200,4,1,q0,70\nj4,5,5400,2,1,q1,10\n"
    "j5,5,5400,4,1,q3,70\nj6,11,7200,4,1,q1,70\nj7,12,3600,1,1,q0,90\nj8,16,5400,2,2,q3,50\n"
    "j9,18,5400,2,2,q0,10\nj10,19,5400,2,2,q1,70\nj11,27,7200,2,2,q2,50\nj12,29,7200,1,1,q0,50\n"
    "j13,46,5400,4,2,q2,90\nj14,57,5400,2,2,q2,70\nj15,60,5400,1,1,q2,50\n";

// Earlier versions: 133 stops, one job was stopped 15 times; 67.6 GPU-hours were lost, more than the 56.5 of all jobs.
TEST_F(StopsOfLives, FourQueuesThatLendComeToRest) {
  add_nodes(4, 4);
  for (const char* name : {"q0", "q1", "q2", "q3"})
    add_queue(name, 4, 8, {.priority = minutes(5), .reclaim = minutes(5)});
  simulate(kFourQueues);
  int stops = 0;
  for (const auto& [job, count] : stops_) {
    EXPECT_LE(count, 1) << job;
    stops += count;
  }
  EXPECT_LE(stops, 8);
  EXPECT_LT(lost_gpu_s_, 9 * 3600);
}

// Earlier versions stopped `own-low`, which then reclaimed its place from `guest`.
TEST_F(StopsOfLives, WhatIsLentGoesBeforeAQueuesOwn) {
  add_nodes(2, 4);
  add_queue("main", 8, -1);
  add_queue("guest", 0, -1);
  simulate("own-low,0,3600,4,1,main,10\nguest,1,3600,4,1,guest,50\nhigh,2,3600,4,1,main,90\n");
  EXPECT_EQ(stops_, (std::map<std::string, int>{{"guest", 1}, {"high", 0}, {"own-low", 0}}));
}

}  // namespace
}  // namespace ym::sim
