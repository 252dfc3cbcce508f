#include "engine/state/timeline/free_steps.h"

#include <gtest/gtest.h>

namespace ym::engine {
namespace {

TEST(FreeSteps, CountsTheRungsThatHaveCome) {
  FreeSteps free_steps;
  EXPECT_EQ(free_steps.at(kHorizon), 0) << "none ever";
  free_steps.from[0] = 0;
  free_steps.from[1] = 10;
  free_steps.from[2] = 10;
  EXPECT_EQ(free_steps.at(0), 1);
  EXPECT_EQ(free_steps.at(9), 1);
  EXPECT_EQ(free_steps.at(10), 3);
  EXPECT_EQ(free_steps.at(kHorizon), 3);
}

}  // namespace
}  // namespace ym::engine
