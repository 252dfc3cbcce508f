#include "engine/forecast/learnt_factor.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace ym::engine {
namespace {

constexpr LearntFactor::Limits kLimits{.least_milli = 500, .most_milli = 64'000, .parts = 1000};

// Values are spread evenly up to 3000. The bound is 1000 times the factor: a tenth of the values is beyond 2700.
TEST(LearntFactor, ComesToRestWhereOneInTenIsBeyond) {
  LearntFactor factor(kLimits);
  Random random(1);
  int beyond = 0;
  for (int i = 0; i < 20'000; ++i) {
    const bool is_beyond = static_cast<std::int64_t>(random.below(3000)) > factor.milli();
    factor.note(is_beyond);
    if (i >= 10'000) beyond += is_beyond;
  }
  EXPECT_NEAR(beyond, 1000, 100);
  EXPECT_NEAR(static_cast<double>(factor.milli()), 2700, 150);
}

// The values always grow, so no window of past values would hold the next.
TEST(LearntFactor, FollowsWhatChanges) {
  LearntFactor factor(kLimits);
  int beyond = 0;
  for (int i = 0; i < 10'000; ++i) {
    const bool is_beyond = 1000 + i > factor.milli();
    factor.note(is_beyond);
    if (i >= 5'000) beyond += is_beyond;
  }
  EXPECT_GT(beyond, 400);
  EXPECT_LT(beyond, 800);
}

TEST(LearntFactor, StaysWithinItsLimits) {
  LearntFactor factor(kLimits);
  EXPECT_EQ(factor.milli(), 1000);
  for (int i = 0; i < 10'000; ++i) factor.note(true);
  EXPECT_EQ(factor.milli(), 64'000);
  for (int i = 0; i < 10'000; ++i) factor.note(false);
  EXPECT_EQ(factor.milli(), 500);
}

}  // namespace
}  // namespace ym::engine
