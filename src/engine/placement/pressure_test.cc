#include "engine/placement/pressure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ym::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class Pressure : public ::testing::Test {
 protected:
  Pressure() {
    inventory_.set(Cluster{.name = "lab", .executor = "simulated"});
    add("a1", "a100", 8);
    add("a2", "a100", 8);
    add("t1", "t4", 8);
  }

  Node node(const std::string& name, const std::string& type, int gpus) const {
    Node made{.name = name, .cluster = "lab", .gpu_type = type};
    for (int i = 0; i < gpus; ++i) made.devices.push_back({.id = std::to_string(i)});
    return made;
  }
  void add(const std::string& name, const std::string& type, int gpus) { inventory_.set(node(name, type, gpus)); }
  // Jobs ask for this many GPUs under the rule.
  void want(const NodeRule& rule, std::int64_t gpus) {
    workload_.add(inventory_.acquire_rule(rule), {.devices = 1}, gpus);
  }
  IndexedVector<NodeIndex, std::int64_t> costs() const { return pressure_costs(workload_, inventory_); }

  Inventory inventory_;
  Workload workload_;
};

TEST_F(Pressure, IsNoneWhereNoJobInsists) {
  want({}, 5);
  EXPECT_THAT(costs(), IsEmpty());
}

TEST_F(Pressure, IsWhatIsAskedForInPartsOfWhatThereIs) {
  want({.gpu_types = {"a100"}}, 4);
  EXPECT_THAT(costs(), ElementsAre(75, 75, 0)) << "of 16";
}

TEST_F(Pressure, EndsWhereAllIsAskedFor) {
  want({.gpu_types = {"a100"}}, 1'000);
  want({.gpu_types = {"a100"}, .exclude = {"a1"}}, 8);
  want({.gpu_types = {"a100", "t4"}, .exclude = {"a1", "a2"}}, 2);
  EXPECT_THAT(costs(), ElementsAre(300, 300, 75));
}

TEST_F(Pressure, OfTypesThatNoNodeHasOrAllHaveIsNone) {
  want({.gpu_types = {"h100"}}, 5);
  want({.gpu_types = {"a100", "t4"}}, 5);
  EXPECT_THAT(costs(), ElementsAre(0, 0, 0));
}

TEST_F(Pressure, AJobThatOnlyExcludesInsistsOnNothing) {
  want({.exclude = {"a1"}}, 5);
  EXPECT_THAT(costs(), IsEmpty());
}

TEST_F(Pressure, WhatIsNotInServiceIsNotThere) {
  want({.gpu_types = {"a100"}}, 3);
  Node drained = node("a1", "a100", 8);
  drained.schedulable = false;
  inventory_.set(drained);
  Node broken = node("a2", "a100", 8);
  for (int i = 0; i < 4; ++i) broken.devices[static_cast<std::size_t>(i)].healthy = false;
  inventory_.set(broken);
  EXPECT_THAT(costs(), ElementsAre(225, 225, 0)) << "of four";
}

TEST_F(Pressure, SlicesAreNoGpus) {
  Node sliced = node("a2", "a100", 2);
  for (int i = 0; i < 7; ++i) sliced.devices.push_back({.id = "m" + std::to_string(i), .profile = "1g.5gb"});
  inventory_.set(sliced);
  want({.gpu_types = {"a100"}}, 5);
  workload_.add(inventory_.acquire_rule({.gpu_types = {"a100"}, .profile = "1g.5gb"}),
                {.devices = 1, .profile = ProfileIndex{0}}, 7);
  EXPECT_THAT(costs(), ElementsAre(150, 150, 0)) << "of ten";
}

TEST_F(Pressure, OfManyRulesThoseCountUnderWhichMostIsAskedFor) {
  for (std::size_t i = 0; i <= kMostRules; ++i) {
    NodeRule rule{.gpu_types = {"t4"}};
    rule.exclude = {"x" + std::to_string(i)};
    want(rule, i == 0 ? 4 : 0);
  }
  for (std::size_t i = 0; i < kMostRules; ++i) {
    NodeRule rule{.gpu_types = {"a100"}, .exclude = {"y" + std::to_string(i)}};
    want(rule, 5);
  }
  EXPECT_THAT(costs(), ElementsAre(300, 300, 0)) << "four are less than five";
}

}  // namespace
}  // namespace ym::engine
