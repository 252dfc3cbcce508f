#include "engine/state/ladder.h"

#include <gtest/gtest.h>

namespace ym::engine {
namespace {

TEST(Ladder, CountsTheRungsThatHaveCome) {
  Ladder ladder;
  EXPECT_EQ(ladder.at(kHorizon), 0) << "none ever";
  ladder.from[0] = 0;
  ladder.from[1] = 10;
  ladder.from[2] = 10;
  EXPECT_EQ(ladder.at(0), 1);
  EXPECT_EQ(ladder.at(9), 1);
  EXPECT_EQ(ladder.at(10), 3);
  EXPECT_EQ(ladder.at(kHorizon), 3);
}

}  // namespace
}  // namespace ym::engine
