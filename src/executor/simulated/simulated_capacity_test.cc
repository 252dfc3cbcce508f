#include "executor/simulated/simulated_capacity.h"

#include <gtest/gtest.h>

#include <set>

namespace ym {
namespace {

constexpr Instant kStart{1'800'000'000'000};

class Capacity : public testing::Test {
 protected:
  Capacity() { flavor_.elastic = ElasticCapacity{.max_nodes = 4, .provisioning = minutes(5), .idle = minutes(10)}; }

  void want(std::int64_t nodes, Instant at) {
    flavor_.wanted = {nodes, at};
    capacity_.provision(flavor_, at);
  }
  // Names of the nodes at that time; empty: unchanged.
  std::optional<std::set<std::string>> at(Instant now) {
    const auto nodes = capacity_.pass(now, [&](const std::string& node) { return used_.contains(node); });
    if (!nodes) return std::nullopt;
    std::set<std::string> names;
    for (const auto& node : *nodes) names.insert(node.name);
    return names;
  }

  using Names = std::set<std::string>;
  Flavor flavor_{.name = "burst", .cluster = "cloud", .labels = {}};
  SimulatedCapacity capacity_{{{.name = "own", .cluster = "lab"}}};
  std::set<std::string> used_;
};

TEST_F(Capacity, NodesComeWhenTheirTimeIsOver) {
  want(2, kStart);
  EXPECT_EQ(at(kStart), Names{"own"}) << "existing nodes are reported once";
  EXPECT_EQ(capacity_.next(), kStart + minutes(5));
  EXPECT_EQ(at(kStart + minutes(4)), std::nullopt);
  EXPECT_EQ(at(kStart + minutes(5)), (Names{"own", "burst-1", "burst-2"}));
  EXPECT_EQ(capacity_.next(), std::nullopt);
}

TEST_F(Capacity, WhatIsNotWantedAnyMoreNeverComes) {
  want(3, kStart);
  at(kStart);
  want(1, kStart + minutes(1));
  at(kStart + minutes(1));
  EXPECT_EQ(at(kStart + minutes(6)), (Names{"own", "burst-1"}));
}

TEST_F(Capacity, IdleNodesGoWhenNoJobWantsThem) {
  want(2, kStart);
  at(kStart);
  at(kStart + minutes(5));
  used_ = {"burst-2"};
  want(0, kStart + minutes(6));
  EXPECT_EQ(at(kStart + minutes(6)), (Names{"own", "burst-1", "burst-2"}));
  EXPECT_EQ(at(kStart + minutes(14)), std::nullopt);
  EXPECT_EQ(at(kStart + minutes(15)), (Names{"own", "burst-2"}));
  used_.clear();
  EXPECT_EQ(at(kStart + minutes(24)), std::nullopt) << "it was in use until a moment ago";
  EXPECT_EQ(at(kStart + minutes(25)), Names{"own"});
}

TEST_F(Capacity, NodesThatAreConfiguredLaterAreThereToo) {
  capacity_.set_nodes({{.name = "own"}, {.name = "other"}});
  EXPECT_EQ(at(kStart), std::nullopt) << "none are wanted, so nothing is reported";
  want(1, kStart);
  EXPECT_EQ(at(kStart), (Names{"own", "other"}));
  capacity_.set_nodes({{.name = "own"}});
  EXPECT_EQ(at(kStart + minutes(5)), (Names{"own", "burst-1"}));
  capacity_.set_nodes({{.name = "own"}, {.name = "third"}});
  EXPECT_EQ(capacity_.next(), Instant{});
  EXPECT_EQ(at(kStart + minutes(6)), (Names{"own", "third", "burst-1"}));
}

TEST_F(Capacity, ThoseThatAreThereCount) {
  want(1, kStart);
  at(kStart);
  at(kStart + minutes(5));
  want(2, kStart + minutes(6));
  at(kStart + minutes(6));
  EXPECT_EQ(at(kStart + minutes(11)), (Names{"own", "burst-1", "burst-2"}));
}

}  // namespace
}  // namespace ym
