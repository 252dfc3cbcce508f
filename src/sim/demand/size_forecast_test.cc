#include "sim/demand/size_forecast.h"

#include <gtest/gtest.h>

#include <numeric>

namespace ym::sim {
namespace {

constexpr Instant kMonday{978'307'200'000};  // 2001-01-01

Instant at(std::int64_t hour) { return kMonday + hours(hour); }

double sum(const SizeShares& shares) { return std::accumulate(shares.begin(), shares.end(), 0.0); }

TEST(SizeClass, RoundsUpToAPowerOfTwo) {
  const std::vector<std::pair<std::int64_t, std::size_t>> classes{
      {0, 0}, {1, 0}, {2, 1}, {3, 2}, {4, 2}, {5, 3}, {8, 3}, {16, 4}, {17, 5}, {32, 5}, {33, 6}, {4096, 6}};
  for (const auto& [gpus, expected] : classes) EXPECT_EQ(size_class(gpus), expected) << gpus;
}

TEST(SizeForecast, TakesAllSizesForAsLikelyAtFirst) {
  SizeForecast forecast(kMonday);
  for (const double share : forecast.next_hour(kMonday)) EXPECT_DOUBLE_EQ(share, 1.0 / kSizeClasses);
}

TEST(SizeForecast, SharesAddUpToOneAndRuleNothingOut) {
  SizeForecast forecast(kMonday);
  for (std::int64_t hour = 0; hour < 200; ++hour) forecast.submitted(at(hour), 1);
  for (const auto& shares : {forecast.next_hour(at(200)), forecast.next_days(at(200)), forecast.all_time(at(200))}) {
    EXPECT_NEAR(sum(shares), 1, 1e-12);
    for (const double share : shares) EXPECT_GT(share, 0);
  }
}

TEST(SizeForecast, ABurstOfSingleGpusIsSoonOverAndLargeJobsAreNot) {
  SizeForecast forecast(kMonday);
  for (std::int64_t hour = 0; hour < 96; ++hour) forecast.submitted(at(hour), 8);
  for (int i = 0; i < 100; ++i) forecast.submitted(at(96), 1);
  EXPECT_GT(forecast.next_hour(at(97))[0], 0.9);
  EXPECT_LT(forecast.next_hour(at(117))[0], 0.5);
  EXPECT_GT(forecast.next_hour(at(117))[3], 0.5);
}

TEST(SizeForecast, AnHourCountsOnceItIsOver) {
  SizeForecast forecast(kMonday);
  forecast.submitted(at(5), 4);
  const auto before = forecast.next_hour(at(6) - Duration{1});
  forecast.submitted(at(6) - Duration{1}, 4);
  EXPECT_EQ(forecast.next_hour(at(6) - Duration{1}), before);
  EXPECT_GT(forecast.next_hour(at(6))[2], before[2]);
}

TEST(SizeForecast, OverDaysTheMixOfTheLastDaysCounts) {
  SizeForecast forecast(kMonday);
  for (std::int64_t hour = 0; hour < 1000; ++hour) forecast.submitted(at(hour), hour < 700 ? 1 : 16);
  EXPECT_GT(forecast.next_days(at(1000))[4], 0.8);
  EXPECT_LT(forecast.all_time(at(1000))[4], 0.31);
}

}  // namespace
}  // namespace ym::sim
