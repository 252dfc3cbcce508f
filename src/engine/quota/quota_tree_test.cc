#include "engine/quota/quota_tree.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "engine/testing/quota_tree.h"

namespace ym::engine {
namespace {

using testing::kGpus;
using testing::Limits;
using testing::Tree;
using testing::two_in_a_cohort;

TEST(QuotaTree, QueueAlone) {
  Tree tree = Tree().queue("a", "", Limits{.nominal = 8});
  tree.add("a", 6);
  EXPECT_EQ(tree.available("a"), 2);
  EXPECT_EQ(tree.potential("a"), 8);
  EXPECT_EQ(tree.limit("a"), "a");
}

TEST(QuotaTree, BorrowsAllThatIsLent) {
  Tree tree = two_in_a_cohort({.nominal = 8}, {.nominal = 4});
  EXPECT_EQ(tree.available("a"), 12);
  tree.add("b", 3);
  EXPECT_EQ(tree.available("a"), 9);
  EXPECT_EQ(tree.usage("org"), 3);
  tree.add("a", 9);
  EXPECT_EQ(tree.available("a"), 0);
  EXPECT_EQ(tree.available("b"), 0);
  EXPECT_EQ(tree.limit("b"), "org");
}

TEST(QuotaTree, BorrowingLimitCountsWhatLiesInTheParent) {
  Tree tree = two_in_a_cohort({.nominal = 8, .borrow = 3}, {.nominal = 20});
  EXPECT_EQ(tree.potential("a"), 11);
  EXPECT_EQ(tree.available("a"), 11);
  EXPECT_EQ(tree.limit("a"), "a");
  tree.add("a", 5);
  EXPECT_EQ(tree.available("a"), 6);
  tree.add("b", 20);
  EXPECT_EQ(tree.available("a"), 3);
  EXPECT_EQ(tree.limit("a"), "org");
}

TEST(QuotaTree, OfTwoEqualLimitsTheLowerIsNamed) {
  Tree tree = two_in_a_cohort({.nominal = 4, .borrow = 2}, {.nominal = 2});
  EXPECT_EQ(tree.available("a"), 6);
  EXPECT_EQ(tree.limit("a"), "a");
}

TEST(QuotaTree, LendingLimitKeepsTheRestLocal) {
  Tree tree = two_in_a_cohort({.nominal = 0}, {.nominal = 10, .borrow = std::nullopt, .lend = 4});
  EXPECT_EQ(tree.subtree("org"), 4);
  EXPECT_EQ(tree.available("a"), 4);
  EXPECT_EQ(tree.available("b"), 10);
  tree.add("b", 5);  // within what is local: the cohort does not see it
  EXPECT_EQ(tree.usage("org"), 0);
  EXPECT_EQ(tree.available("a"), 4);
  tree.add("b", 3);  // two of it come out of what is lent
  EXPECT_EQ(tree.usage("org"), 2);
  EXPECT_EQ(tree.available("a"), 2);
  EXPECT_EQ(tree.available("b"), 2);
  tree.remove("b", 4);
  EXPECT_EQ(tree.usage("org"), 0);
  EXPECT_EQ(tree.available("b"), 6);
}

TEST(QuotaTree, LendingMoreThanThereIsLendsAll) {
  Tree tree = two_in_a_cohort({.nominal = 0}, {.nominal = 3, .borrow = std::nullopt, .lend = 9});
  EXPECT_EQ(tree.available("a"), 3);
  EXPECT_EQ(tree.available("b"), 3);
}

TEST(QuotaTree, CohortsNest) {
  Tree tree = Tree()
                  .queue("org", "", Limits{.nominal = 1})
                  .queue("x", "org", Limits{.nominal = 2, .borrow = 3, .lend = 4})
                  .queue("y", "org", Limits{.nominal = 10, .borrow = 0, .lend = 5})
                  .queue("a", "x", Limits{.nominal = 6});
  // x has 2 + 6 and lends 4 of it: 4 stay local; y lends 5; the root has 1 of its own.
  EXPECT_EQ(tree.subtree("x"), 8);
  EXPECT_EQ(tree.subtree("org"), 1 + 4 + 5);
  EXPECT_EQ(tree.potential("a"), 8 + 3);
  EXPECT_EQ(tree.potential("y"), 10);
  tree.add("a", 7);
  EXPECT_EQ(tree.usage("x"), 7);
  EXPECT_EQ(tree.usage("org"), 3);
  EXPECT_EQ(tree.available("a"), 4);
  EXPECT_EQ(tree.limit("a"), "x");
  EXPECT_EQ(tree.available("y"), 10);
}

TEST(QuotaTree, CutQuotaIsNegative) {
  Tree tree = two_in_a_cohort({.nominal = 2}, {.nominal = 2});
  tree.add("a", 7);
  EXPECT_EQ(tree.available("b"), -3);
}

TEST(QuotaTree, RemovingUndoesAddingInAnyOrder) {
  Tree tree = Tree()
                  .queue("org", "", Limits{.nominal = 1})
                  .queue("x", "org", Limits{.nominal = 2, .borrow = {}, .lend = 3})
                  .queue("a", "x", Limits{.nominal = 6, .borrow = {}, .lend = 1})
                  .queue("b", "x", Limits{.nominal = 3, .borrow = {}, .lend = 0});
  const QuotaTree before = tree.tree();
  Random random(3);
  std::vector<std::pair<std::string, std::int64_t>> used;
  for (int i = 0; i < 200; ++i) {
    used.emplace_back(random.below(2) == 0 ? "a" : "b", 1 + static_cast<std::int64_t>(random.below(4)));
    tree.add(used.back().first, used.back().second);
  }
  while (!used.empty()) {
    const auto i = random.below(used.size());
    std::swap(used[i], used.back());
    tree.remove(used.back().first, used.back().second);
    used.pop_back();
  }
  EXPECT_TRUE(tree.tree() == before);
}

TEST(QuotaTree, TheHighestShortLimitIsFound) {
  Tree tree = Tree()
                  .queue("org", "", std::nullopt)
                  .queue("x", "org", Limits{.nominal = 0, .borrow = 2})
                  .queue("y", "org", Limits{.nominal = 12})
                  .queue("a", "x", Limits{.nominal = 4, .borrow = 1});
  EXPECT_EQ(tree.highest_short("a", 5), "");
  EXPECT_EQ(tree.highest_short("a", 6), "a") << "x could have 6";
  EXPECT_EQ(tree.highest_short("a", 7), "x") << "the limit of a is lower still";
  EXPECT_EQ(tree.highest_short("a", 17), "org");
  tree.add("y", 15);
  EXPECT_EQ(tree.highest_short("a", 1), "");
  EXPECT_EQ(tree.highest_short("a", 2), "org");
}

TEST(QuotaTree, WithoutQuotaThereIsNothingNominalInWhatTheTreeHasQuotaOf) {
  Tree tree = Tree()
                  .queue("org", "", std::nullopt)
                  .queue("a", "org", Limits{.nominal = 4})
                  .queue("b", "org", std::nullopt)
                  .queue("free", "", std::nullopt);
  EXPECT_TRUE(tree.limited("b"));
  EXPECT_EQ(tree.available("b"), 4);
  EXPECT_EQ(tree.subtree("b"), 0);
  EXPECT_FALSE(tree.limited("free"));
}

TEST(QuotaTree, FaultsAreFound) {
  Tree tree = Tree()
                  .queue("org", "", std::nullopt)
                  .queue("a", "org", std::nullopt)
                  .queue("x", "y", Limits{.nominal = 1})
                  .queue("y", "x", Limits{.nominal = 1})
                  .queue("z", "y", std::nullopt)
                  .queue("lost", "nowhere", std::nullopt)
                  .queue("kid", "lost", std::nullopt)
                  .queue("grandkid", "kid", std::nullopt)
                  .queue("self", "self", std::nullopt);
  EXPECT_EQ(tree.fault("org"), QueueFault::is_cohort);
  EXPECT_EQ(tree.fault("a"), QueueFault::none);
  EXPECT_EQ(tree.fault("x"), QueueFault::loop);
  EXPECT_EQ(tree.fault("y"), QueueFault::loop);
  EXPECT_EQ(tree.fault("z"), QueueFault::below_fault);
  EXPECT_EQ(tree.fault("lost"), QueueFault::no_parent);
  EXPECT_EQ(tree.fault("kid"), QueueFault::below_fault);
  EXPECT_EQ(tree.fault("grandkid"), QueueFault::below_fault);
  EXPECT_EQ(tree.fault("self"), QueueFault::loop);
  EXPECT_EQ(tree.available("x"), 1);  // answers, without an endless loop
}

}  // namespace
}  // namespace ym::engine
