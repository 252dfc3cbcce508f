#include "executor/prefixed/prefixed_executor.h"

#include <gtest/gtest.h>

namespace ym {
namespace {

const Token kToken{{7}, 1, 3};

// Records its calls, and can be made to report.
struct Inner final : Executor {
  Result<void> start(ObservationSink to, std::span<const LiveAttempt> attempts) override {
    sink = std::move(to);
    live.assign(attempts.begin(), attempts.end());
    return {};
  }
  void know_lost(IsLost is_lost) override { knows = std::move(is_lost); }
  Result<std::vector<LostLaunch>> lost_launches() override { return lost; }
  Result<std::vector<Node>> inventory() override {
    ++asked;
    return nodes;
  }
  void launch(LaunchRequest request) override { launched.push_back(std::move(request)); }
  void open_barrier(const Token&, std::span<const TaskClaim> gang) override { claims.assign(gang.begin(), gang.end()); }
  void stop(const Token&, StopRequest) override { ++stops; }
  void deliver(const Token&, const Secret&) override {}
  Result<LogChunk> read_log(const LogQuery&) override { return LogChunk{.data = "said"}; }
  void release(const Token&) override { ++releases; }
  void provision(const Flavor& flavor) override { wanted = flavor.wanted.nodes; }
  std::map<std::string, std::string> enforcement() const override { return {{"cpu limit", "theirs"}}; }

  std::vector<Node> nodes{{.name = "node1"}};
  ObservationSink sink;
  IsLost knows;
  Result<std::vector<LostLaunch>> lost = std::vector<LostLaunch>{};
  std::vector<LiveAttempt> live;
  std::vector<LaunchRequest> launched;
  std::vector<TaskClaim> claims;
  int stops = 0, releases = 0, asked = 0;
  std::int64_t wanted = 0;
};

class Prefixed : public testing::Test {
 protected:
  void start(const std::vector<LiveAttempt>& live = {}) {
    ASSERT_TRUE(executor_->start([this](Observation seen) { seen_.push_back(std::move(seen)); }, live));
  }
  static LaunchRequest request(const std::string& node) {
    return {.token = kToken, .placement = {{0, node, {"0"}}}, .nodes = {{.name = node}}};
  }

  Inner* inner_ = new Inner;
  std::unique_ptr<Executor> executor_ = with_node_prefix(std::unique_ptr<Executor>(inner_), "gke-");
  std::vector<Observation> seen_;
};

TEST_F(Prefixed, NodesAreToldWithThePrefixAndAskedForWithout) {
  start();
  EXPECT_EQ(executor_->inventory()->front().name, "gke-node1");
  executor_->launch(request("gke-node1"));
  EXPECT_EQ(inner_->launched.front().placement.front().node, "node1");
  EXPECT_EQ(inner_->launched.front().nodes.front().name, "node1");
  inner_->sink({.token = {}, .what = NodesAreSeen{.cluster = "gke", .nodes = {{.name = "node1"}, {.name = "node2"}}}});
  inner_->sink({.token = {}, .what = DevicesAreUnhealthy{.node = "node2", .devices = {{"3", "burnt"}}, .message = {}}});
  EXPECT_EQ(std::get<NodesAreSeen>(seen_.at(0).what).nodes.at(1).name, "gke-node2");
  EXPECT_EQ(std::get<DevicesAreUnhealthy>(seen_.at(1).what).node, "gke-node2");
}

TEST_F(Prefixed, WhatRunsAlreadyIsAskedForInTheClustersNames) {
  start({{.request = request("gke-node1"), .tasks = {}}, {.request = request("node2"), .tasks = {}}});
  EXPECT_EQ(inner_->live.at(0).request.placement.front().node, "node1");
  EXPECT_EQ(inner_->live.at(1).request.placement.front().node, "node2") << "it was launched before there was a prefix";
}

TEST_F(Prefixed, ANameThatBeginsWithThePrefixGetsItOnceMore) {
  start();
  inner_->sink({.token = {}, .what = NodesAreSeen{.cluster = "gke", .nodes = {{.name = "gke-a"}, {.name = "a"}}}});
  const auto& told = std::get<NodesAreSeen>(seen_.at(0).what).nodes;
  EXPECT_EQ(told.at(0).name, "gke-gke-a");
  EXPECT_EQ(told.at(1).name, "gke-a");
  for (const auto& node : told) executor_->launch(request(node.name));
  EXPECT_EQ(inner_->launched.at(0).placement.front().node, "gke-a");
  EXPECT_EQ(inner_->launched.at(1).placement.front().node, "a");
}

TEST_F(Prefixed, WhatRanBeforeOnSuchANodeIsFoundThere) {
  const auto claimed = [](const std::string& node) {
    return std::vector<TaskStatus>{{.claim = TaskClaim{.node = node}}};
  };
  start(
      {{.request = request("gke-a"), .tasks = claimed("gke-a")}, {.request = request("gke-b"), .tasks = claimed("b")}});
  EXPECT_EQ(inner_->live.at(0).request.placement.front().node, "gke-a") << "its task has said that it is there";
  EXPECT_EQ(inner_->live.at(0).request.nodes.front().name, "gke-a");
  EXPECT_EQ(inner_->live.at(1).request.placement.front().node, "b");
  executor_->launch(request("gke-a"));
  EXPECT_EQ(inner_->launched.front().nodes.front().name, "a") << "so it is called now";
}

TEST_F(Prefixed, WhatTheStateDoesNotKnowIsFoundByOurNamesAndTakenUpByTheirs) {
  inner_->lost = std::vector<LostLaunch>{{.token = kToken, .placement = {{0, "node1", {}}}, .lives = true}};
  executor_->know_lost([](const Token& token) { return token == kToken; });
  EXPECT_TRUE(inner_->knows(kToken));
  const auto lost = executor_->lost_launches();
  ASSERT_TRUE(lost);
  ASSERT_EQ(lost->size(), 1U);
  EXPECT_EQ(lost->front().placement.front().node, "gke-node1");
  start({{.request = request("gke-node1"), .tasks = {}, .adopted = true}});
  EXPECT_EQ(inner_->live.front().request.placement.front().node, "node1");
  EXPECT_TRUE(inner_->live.front().adopted);
  inner_->lost = fail(ErrorCode::unavailable, "away");
  EXPECT_EQ(executor_->lost_launches().error().code, ErrorCode::unavailable);
}

// A takeover does not wait for a cluster that does not answer.
TEST_F(Prefixed, NothingIsAskedOfTheClusterAtTheStart) {
  start({{.request = request("gke-node1"), .tasks = {}}});
  EXPECT_EQ(inner_->live.front().request.placement.front().node, "node1");
  EXPECT_EQ(inner_->asked, 0);
}

TEST_F(Prefixed, ANameThatTwoClustersHaveLeadsToEachOfThem) {
  start();
  auto* other = new Inner;
  const auto second = with_node_prefix(std::unique_ptr<Executor>(other), "aks-");
  const auto first_name = executor_->inventory()->front().name;
  const auto second_name = second->inventory()->front().name;
  EXPECT_NE(first_name, second_name);
  executor_->launch(request(first_name));
  second->launch(request(second_name));
  EXPECT_EQ(inner_->launched.front().placement.front().node, "node1");
  EXPECT_EQ(other->launched.front().placement.front().node, "node1");
}

TEST_F(Prefixed, AllElseGoesThroughAsItIs) {
  start();
  const std::vector<TaskClaim> claims{{.nonce = "n", .address = "10.0.0.1", .port = 1, .node = "node1"}};
  inner_->sink({kToken, GangIsWaiting{claims}});
  EXPECT_EQ(std::get<GangIsWaiting>(seen_.front().what).claims, claims) << "as its cluster names it";
  executor_->open_barrier(kToken, claims);
  EXPECT_EQ(inner_->claims, claims);
  executor_->stop(kToken, {});
  executor_->release(kToken);
  executor_->provision({.name = "f", .wanted = {4, {}}});
  EXPECT_EQ(inner_->stops + inner_->releases, 2);
  EXPECT_EQ(inner_->wanted, 4);
  EXPECT_EQ(executor_->read_log({})->data, "said");
  EXPECT_EQ(executor_->enforcement().at("cpu limit"), "theirs");
  EXPECT_EQ(executor_->task_link(), nullptr);
}

}  // namespace
}  // namespace ym
