#include "sim/search/coordinate_descent.h"

#include <gtest/gtest.h>

namespace ym::sim {
namespace {

// The minimum is at {2, 1}.
Result<double> bowl(const Choice& choice) {
  const auto x = static_cast<double>(choice[0]), y = static_cast<double>(choice[1]);
  return (x - 2) * (x - 2) + (y - 1) * (y - 1);
}

TEST(CoordinateDescent, FindsTheBottomAndTriesNothingTwice) {
  const auto search = descend({4, 3}, 100, bowl);
  ASSERT_TRUE(search);
  EXPECT_EQ(search->tried.front().choice, (Choice{0, 0}));
  EXPECT_EQ(search->tried[search->best].choice, (Choice{2, 1}));
  EXPECT_TRUE(search->complete);
  EXPECT_EQ(search->tried.size(), 4U + 2U + 3U) << "a row, a column, and the row again";
}

TEST(CoordinateDescent, StopsWhereThereAreNoTriesLeft) {
  const auto search = descend({4, 3}, 3, bowl);
  ASSERT_TRUE(search);
  EXPECT_EQ(search->tried.size(), 3U);
  EXPECT_EQ(search->tried[search->best].choice, (Choice{2, 0}));
  EXPECT_FALSE(search->complete);
}

TEST(CoordinateDescent, OfEqualOnesTheFirstStays) {
  const auto search = descend({3}, 100, [](const Choice&) -> Result<double> { return 1; });
  ASSERT_TRUE(search);
  EXPECT_EQ(search->best, 0U);
}

TEST(CoordinateDescent, WhatCannotBeTriedEndsIt) {
  EXPECT_FALSE(descend({2}, 9, [](const Choice&) -> Result<double> { return fail(ErrorCode::invalid, "no"); }));
}

}  // namespace
}  // namespace ym::sim
