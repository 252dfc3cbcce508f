#include "executor/local/stop_order.h"

#include <gtest/gtest.h>

namespace ym::local {
namespace {

constexpr std::int64_t kAsked = 5000;

StopOrder order(Duration grace) {
  return StopOrder{{.cause = StopCause::preemption, .signal = "SIGUSR1", .grace = grace}, kAsked};
}

TEST(StopOrder, ATaskThatIsToldLateHasWhatIsLeft) {
  const auto stop = order(seconds(30));
  EXPECT_EQ(stop.as_of(kAsked).grace, seconds(30));
  EXPECT_EQ(stop.as_of(kAsked + 29'000).grace, seconds(1));
  EXPECT_EQ(stop.as_of(kAsked + 29'000).signal, "SIGUSR1");
}

TEST(StopOrder, ATaskThatIsToldAfterTheDeadlineHasItAll) {
  EXPECT_EQ(order(seconds(30)).as_of(kAsked + 30'000).grace, seconds(30));
  EXPECT_EQ(order({}).as_of(kAsked).grace, Duration{}) << "there was none";
}

TEST(StopOrder, AnotherRequestOnlyBringsTheDeadlineForward) {
  auto stop = order(seconds(30));
  stop.join({.cause = StopCause::cancel, .grace = seconds(30)}, kAsked + 10'000);
  EXPECT_EQ(stop.deadline(), kAsked + 30'000) << "asked again, it has not begun anew";
  stop.join({.cause = StopCause::cancel, .grace = seconds(5)}, kAsked + 10'000);
  EXPECT_EQ(stop.deadline(), kAsked + 15'000);
  EXPECT_EQ(stop.as_of(kAsked + 14'000).grace, seconds(1));
  EXPECT_EQ(stop.as_of(kAsked + 14'000).cause, StopCause::preemption);
  EXPECT_EQ(stop.as_of(kAsked + 99'000).grace, seconds(5));
}

TEST(StopOrder, AGraceMayBeLongerThanAnyTime) { EXPECT_GT(order({INT64_MAX}).deadline(), kAsked); }

}  // namespace
}  // namespace ym::local
