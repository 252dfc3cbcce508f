// What a queue could have if others returned what they borrow, or whichever queue of its tree uses what.
#include <gtest/gtest.h>

#include "engine/testing/quota_tree.h"

namespace ym::engine {
namespace {

using testing::Limits;
using testing::Tree;
using testing::two_in_a_cohort;

TEST(QuotaTreeByRight, ATreeHasNoMoreThanIsLeft) {
  Tree tree = two_in_a_cohort({.nominal = 8}, {.nominal = 4, .borrow = 0});
  tree.add("a", 9);
  EXPECT_FALSE(tree.short_in_all("b", 3));
  EXPECT_TRUE(tree.short_in_all("b", 4)) << "though it is within its nominal quota";
  tree.add("b", 2);
  EXPECT_FALSE(tree.short_in_all("b", 1));
  EXPECT_TRUE(tree.short_in_all("a", 2));
  tree.remove("a", 9);
  tree.add("b", 2);
  EXPECT_FALSE(tree.short_in_all("b", 1)) << "its own limit is no matter: others may give it back";
}

// It may use that much whatever the others do.
TEST(QuotaTreeByRight, WhereAQueueKeepsSomeForItselfWhatIsLeftInAllIsNotKnown) {
  Tree tree = two_in_a_cohort({.nominal = 8}, {.nominal = 4, .lend = 2});
  tree.add("a", 10);
  EXPECT_FALSE(tree.short_in_all("b", 3));
  EXPECT_FALSE(tree.short_in_all("a", 3));
}

TEST(QuotaTreeByRight, WhatOthersBorrowIsNotTheirsByRight) {
  Tree tree = two_in_a_cohort({.nominal = 8}, {.nominal = 8});
  EXPECT_FALSE(tree.short_by_right("a", 16));
  EXPECT_TRUE(tree.short_by_right("a", 17));
  tree.add("a", 4);  // its own jobs end, too
  EXPECT_FALSE(tree.short_by_right("a", 16));
  tree.add("b", 6);
  EXPECT_FALSE(tree.short_by_right("a", 10));
  EXPECT_TRUE(tree.short_by_right("a", 11));
  tree.add("b", 6);  // four of these are lent
  EXPECT_FALSE(tree.short_by_right("a", 8));
  EXPECT_TRUE(tree.short_by_right("a", 9));
}

TEST(QuotaTreeByRight, WhatIsNotLentIsNotMissed) {
  Tree tree = two_in_a_cohort({.nominal = 4, .borrow = 3}, {.nominal = 8, .lend = 2});
  tree.add("b", 6);
  EXPECT_FALSE(tree.short_by_right("a", 6));
  tree.add("b", 1);
  EXPECT_TRUE(tree.short_by_right("a", 6));
  EXPECT_TRUE(tree.short_by_right("a", 8)) << "it may borrow three";
}

}  // namespace
}  // namespace ym::engine
