#include "papers/service/moves.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ym::sim::service {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr ClusterShape kTwoNodes{.nodes = 2, .gpus_per_node = 4};

// "job@node", or several nodes.
std::vector<std::string> shown(const std::vector<Placed>& starts) {
  std::vector<std::string> all;
  for (const Placed& one : starts) {
    std::string text = std::to_string(one.job) + "@";
    for (const NodeShare& share : one.placement) text += std::to_string(share.node);
    all.push_back(text);
  }
  return all;
}

TEST(ServiceNodes, FindsTheFirstOrTheFullestNode) {
  Nodes nodes(kTwoNodes);
  nodes.take({{.node = 1, .gpus = 2}});
  EXPECT_EQ(nodes.find(1, Fit::first)->front().node, 0U);
  EXPECT_EQ(nodes.find(1, Fit::best)->front().node, 1U);
  EXPECT_EQ(nodes.find(3, Fit::best)->front().node, 0U);
  EXPECT_TRUE(nodes.find(6, Fit::best));
  EXPECT_FALSE(nodes.find(7, Fit::best));
  nodes.give_back({{.node = 1, .gpus = 2}});
  EXPECT_EQ(nodes.find(8, Fit::first)->size(), 2U);
}

TEST(ServiceNodes, PutsWhatIsLeftOverOfWholeNodesOnAnother) {
  Nodes nodes(kTwoNodes);
  nodes.take({{.node = 0, .gpus = 1}});
  const auto found = nodes.find(6, Fit::best);
  ASSERT_TRUE(found);
  EXPECT_EQ(gpus_on(*found, 1), 4);
  EXPECT_EQ(gpus_on(*found, 0), 2);
  nodes.take(*found);
  EXPECT_FALSE(nodes.find(2, Fit::first));
  EXPECT_TRUE(nodes.find(1, Fit::first));
}

TEST(ServiceMoves, NoJobMovesWhereThereIsRoom) {
  const MovePlan plan = place(kTwoNodes, {{0, 1, {{0, 1}}}}, {{1, 1, {}}, {2, 4, {}}, {3, 2, {}}});
  EXPECT_THAT(plan.stopped, IsEmpty());
  EXPECT_THAT(shown(plan.starts), ElementsAre("2@1", "3@0", "1@0"));
}

TEST(ServiceMoves, SmallerJobsMakeRoomAndAreInAgain) {
  const MovePlan plan = place(kTwoNodes, {{0, 1, {{0, 1}}}, {1, 1, {{1, 1}}}}, {{2, 4, {}}});
  EXPECT_THAT(plan.stopped, ElementsAre(0));
  EXPECT_THAT(shown(plan.starts), ElementsAre("2@0", "0@1"));
}

TEST(ServiceMoves, TheEmptiestNodeIsClearedAndOnlyAsFarAsNeeded) {
  const MovePlan plan = place(
      kTwoNodes,
      {{0, 1, {{0, 1}}}, {1, 1, {{0, 1}}}, {2, 1, {{0, 1}}}, {3, 1, {{1, 1}}}, {4, 1, {{1, 1}}}, {5, 1, {{1, 1}}}},
      {{6, 2, {}}});
  EXPECT_THAT(plan.stopped, ElementsAre(0));
  EXPECT_THAT(shown(plan.starts), ElementsAre("6@0", "0@1"));
}

TEST(ServiceMoves, NoJobMovesForASmallerOne) {
  const MovePlan plan = place(kTwoNodes, {{0, 3, {{0, 3}}}, {1, 3, {{1, 3}}}}, {{2, 2, {}}});
  EXPECT_THAT(plan.stopped, IsEmpty());
  EXPECT_THAT(plan.starts, IsEmpty());
}

TEST(ServiceMoves, WholeNodesAreClearedForGangs) {
  const ClusterShape shape{.nodes = 4, .gpus_per_node = 4};
  const MovePlan plan =
      place(shape, {{0, 2, {{0, 2}}}, {1, 2, {{1, 2}}}, {2, 4, {{2, 4}}}, {3, 1, {{3, 1}}}}, {{4, 4, {}}, {5, 2, {}}});
  EXPECT_EQ(plan.stopped.size() + 2, plan.starts.size());
  Nodes nodes(shape);
  for (const Placed& one : plan.starts) nodes.take(one.placement);
}

}  // namespace
}  // namespace ym::sim::service
