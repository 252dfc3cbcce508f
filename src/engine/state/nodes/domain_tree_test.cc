// Domains are nested, nodes are in them by name, and a domain without nodes is dropped.
#include "engine/state/nodes/domain_tree.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace ym::engine {
namespace {

std::vector<int> by_rank(const DomainTree& tree, std::vector<int> nodes) {
  std::ranges::sort(nodes, {}, [&](int node) { return std::pair(tree.rank(NodeIndex{node}), node); });
  return nodes;
}

TEST(DomainTree, OrdersByTheNamesOfDomainsTheOutermostFirst) {
  DomainTree tree;
  tree.set(NodeIndex{0}, {"b2", "r1"});
  tree.set(NodeIndex{1}, {"b1", "r2"});
  tree.set(NodeIndex{2}, {"b1", "r1"});
  tree.set(NodeIndex{3}, {"b2", "r1"});
  tree.set(NodeIndex{4}, {"b1", "r2"});
  tree.renew();
  EXPECT_EQ(by_rank(tree, {0, 1, 2, 3, 4}), (std::vector<int>{2, 1, 4, 0, 3}));
  EXPECT_EQ(tree.rank(NodeIndex{1}), tree.rank(NodeIndex{4}));
}

TEST(DomainTree, ANodeWithoutALabelIsBehindThoseWithOne) {
  DomainTree tree;
  tree.set(NodeIndex{0}, {});
  tree.set(NodeIndex{1}, {"b1"});
  tree.set(NodeIndex{2}, {"b1", "r9"});
  tree.set(NodeIndex{3}, {"b2", "r1"});
  tree.renew();
  EXPECT_EQ(by_rank(tree, {0, 1, 2, 3, 7}), (std::vector<int>{2, 1, 3, 0, 7})) << "7 was never set";
}

TEST(DomainTree, CountsTheLevelsOfWhichTwoAreInTheSameDomain) {
  DomainTree tree;
  tree.set(NodeIndex{0}, {"z", "b1", "r1"});
  tree.set(NodeIndex{1}, {"z", "b1", "r1"});
  tree.set(NodeIndex{2}, {"z", "b1", "r2"});
  tree.set(NodeIndex{3}, {"z", "b2", "r1"});
  tree.set(NodeIndex{4}, {"z"});
  tree.set(NodeIndex{5}, {"y", "b1", "r1"});
  tree.renew();
  const auto shared = [&](int other) { return tree.shared(NodeIndex{0}, NodeIndex{other}); };
  EXPECT_EQ(shared(1), 3U);
  EXPECT_EQ(shared(2), 2U);
  EXPECT_EQ(shared(3), 1U);
  EXPECT_EQ(shared(4), 1U);
  EXPECT_EQ(shared(5), 0U);
  EXPECT_EQ(shared(6), 0U);
}

TEST(DomainTree, FollowsNodesThatMoveAndGo) {
  DomainTree tree;
  tree.set(NodeIndex{0}, {"a"});
  tree.set(NodeIndex{1}, {"b"});
  tree.renew();
  EXPECT_LT(tree.rank(NodeIndex{0}), tree.rank(NodeIndex{1}));
  tree.set(NodeIndex{0}, {"c", "r1"});
  tree.set(NodeIndex{2}, {"b", "r1"});
  tree.renew();
  EXPECT_EQ(by_rank(tree, {0, 1, 2}), (std::vector<int>{2, 1, 0}));
  tree.set(NodeIndex{2}, {});
  tree.set(NodeIndex{1}, {"c", "r1"});
  tree.renew();
  EXPECT_EQ(tree.shared(NodeIndex{0}, NodeIndex{1}), 2U);
  EXPECT_EQ(by_rank(tree, {0, 1, 2}), (std::vector<int>{0, 1, 2}));
}

}  // namespace
}  // namespace ym::engine
