#include "executor/local/supervisor/stop_plan.h"

#include <gtest/gtest.h>

namespace ym::local {
namespace {

TEST(StopPlan, TheFirstCauseStaysAndTheShortestGraceCounts) {
  StopPlan plan;
  EXPECT_FALSE(plan.deadline());
  EXPECT_TRUE(plan.request(WhyStopped::preemption, 1000, 60'000));
  EXPECT_FALSE(plan.request(WhyStopped::time_limit, 5000, 100));
  EXPECT_EQ(plan.cause(), WhyStopped::preemption);
  EXPECT_EQ(plan.deadline(), 5100);
  EXPECT_FALSE(plan.request(WhyStopped::cancel, 5000, 60'000));
  EXPECT_EQ(plan.deadline(), 5100);
}

TEST(StopPlan, AGraceMayBeAsLongAsANumberCanSay) {
  StopPlan plan;
  plan.request(WhyStopped::cancel, 1000, INT64_MAX);
  EXPECT_EQ(plan.deadline(), INT64_MAX);
}

}  // namespace
}  // namespace ym::local
