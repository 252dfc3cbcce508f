#include "papers/elastic/few_moves.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "base/random.h"

namespace ym::sim::elastic {
namespace {

using ::testing::ElementsAre;

constexpr Cluster kSmall{.nodes = 3, .gpus_per_node = 4};

PlacementJob job(NodeCounts held, Count wanted, double weight = 1) {
  return {.held = std::move(held), .wanted = wanted, .weight = weight};
}

std::vector<NodeCounts> place(const std::vector<PlacementJob>& jobs, NodeSharing sharing = NodeSharing::free) {
  return place_with_few_moves(jobs, {.cluster = kSmall, .sharing = sharing});
}

Count total(const NodeCounts& counts) { return std::accumulate(counts.begin(), counts.end(), Count{0}); }

TEST(FewMoves, KeepsJobsOfUnchangedSize) {
  EXPECT_THAT(place({job({0, 1, 1}, 2), job({0, 0, 0}, 1)}), ElementsAre(ElementsAre(0, 1, 1), ElementsAre(0, 1, 0)));
}

TEST(FewMoves, TakesItsOwnOldNodesFirst) {
  EXPECT_THAT(place({job({0, 0, 4}, 8)}), ElementsAre(ElementsAre(4, 0, 4)));
  EXPECT_THAT(place({job({0, 4, 4}, 4)}), ElementsAre(ElementsAre(0, 4, 0)));
}

TEST(FewMoves, FillsTheFullestNodeThatHasRoom) {
  EXPECT_THAT(place({job({1, 0, 0}, 1), job({0, 3, 0}, 3), job({0, 0, 0}, 1)})[2], ElementsAre(0, 1, 0));
  EXPECT_THAT(place({job({1, 0, 0}, 1), job({0, 3, 0}, 3), job({0, 0, 0}, 2)})[2], ElementsAre(2, 0, 0));
}

TEST(FewMoves, MovesTheCheapestSmallJobsForAWholeNode) {
  const auto placed = place({job({1, 0, 0}, 1, 5), job({0, 1, 0}, 1, 1), job({0, 0, 2}, 2, 5), job({0, 0, 0}, 4)});
  EXPECT_THAT(placed[3], ElementsAre(0, 4, 0));
  EXPECT_THAT(placed[1], ElementsAre(0, 0, 1));
  EXPECT_THAT(placed[0], ElementsAre(1, 0, 0));
}

TEST(FewMoves, SpreadsWhatFitsNowhere) {
  const auto placed = place({job({3, 0, 0}, 3), job({0, 3, 0}, 3), job({0, 0, 3}, 3), job({0, 0, 0}, 3)});
  EXPECT_THAT(placed[3], ElementsAre(1, 1, 1));
}

TEST(FewMoves, LeavesARestRatherThanSharingANode) {
  const std::vector<PlacementJob> jobs{job({4, 2, 0}, 6), job({0, 0, 0}, 6)};
  EXPECT_THAT(place(jobs), ElementsAre(ElementsAre(4, 2, 0), ElementsAre(0, 2, 4)));
  EXPECT_THAT(place(jobs, NodeSharing::one_spread_job), ElementsAre(ElementsAre(4, 2, 0), ElementsAre(0, 0, 4)));
}

// Many rounds of changing sizes: whatever happens, GPUs are not given twice and nobody goes without what it wants.
TEST(FewMoves, GivesEveryJobWhatItWants) {
  Random random(3);
  const Cluster cluster;
  std::vector<PlacementJob> jobs(20, job(NodeCounts(cluster.nodes, 0), 0));
  for (int round = 0; round < 200; ++round) {
    Count left = cluster.gpus();
    for (PlacementJob& one : jobs) {
      if (random.below(3) == 0 || one.wanted > left)
        one.wanted = static_cast<Count>(random.below(std::min(left, 12U) + 1));
      left -= one.wanted;
    }
    const auto placed = place_with_few_moves(jobs, {.cluster = cluster});
    NodeCounts used(cluster.nodes, 0);
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      EXPECT_EQ(total(placed[i]), jobs[i].wanted);
      for (Count node = 0; node < cluster.nodes; ++node) used[node] += placed[i][node];
      jobs[i].held = placed[i];
    }
    for (const Count gpus : used) EXPECT_LE(gpus, cluster.gpus_per_node);
  }
}

TEST(FewMoves, ListsAnAllocationByNodes) {
  const Allocation allocation{{.node = 2, .gpus = 1}, {.node = 0, .gpus = 4}};
  EXPECT_THAT(node_counts(allocation, 3), ElementsAre(4, 0, 1));
  EXPECT_THAT(allocation_of({4, 0, 1}), ElementsAre(NodeShare{0, 4}, NodeShare{2, 1}));
}

}  // namespace
}  // namespace ym::sim::elastic
