#include "papers/placement/churn.h"

#include <gtest/gtest.h>

#include "papers/placement/plain_policies.h"

namespace ym::sim::placement {
namespace {

Fleet one_node_each(std::int32_t nodes) {
  Fleet fleet{.names = {}, .rooms = {}, .types = {"a"}};
  for (std::int32_t i = 0; i < nodes; ++i) {
    fleet.names.push_back(std::to_string(i));
    fleet.rooms.push_back({.cpu_milli = 8000, .memory_mib = 8000, .free = {kWholeGpu}, .type = 1, .gpus = 1});
  }
  return fleet;
}

TEST(Exponential, HasItsMeanAndMedian) {
  Random random(1);
  constexpr std::int64_t kDraws = 200'000;
  double sum = 0;
  std::int64_t below = 0;
  for (std::int64_t i = 0; i < kDraws; ++i) {
    const std::int64_t drawn = exponential(random);
    sum += static_cast<double>(drawn);
    below += static_cast<double>(drawn) < 0.6931 * static_cast<double>(kLifetime);
  }
  EXPECT_NEAR(sum / static_cast<double>(kDraws) / static_cast<double>(kLifetime), 1, 0.01);
  EXPECT_NEAR(static_cast<double>(below) / static_cast<double>(kDraws), 0.5, 0.005);
}

// Erlang's formula: ten servers, a load of ten: 21.46% are lost.
TEST(Churn, LosesWhatErlangSays) {
  const Fleet fleet = one_node_each(10);
  const PodList list = list_of("ones", {{.cpu_milli = 1000, .memory_mib = 1000, .gpus = 1, .gpu_milli = 1000}});
  BestFitPolicy policy;
  Cluster cluster(fleet, list, policy);
  const auto result =
      churn(cluster, list, fleet.capacity_milli(), {.load_percent = 100, .settle = 20, .measure = 8000}, 1);
  EXPECT_NEAR(result.dropped_percent(), 21.46, 0.7);
  EXPECT_NEAR(static_cast<double>(result.offered_milli), 80'000'000, 1'000'000);
  EXPECT_EQ(result.multi_arrived, 0);
}

TEST(Churn, IsTheSameAgainAndOffersTheSameToAll) {
  const Fleet fleet = one_node_each(10);
  const Shape one{.cpu_milli = 1000, .memory_mib = 1000, .gpus = 1, .gpu_milli = 1000};
  const Shape half{.cpu_milli = 1000, .memory_mib = 1000, .gpus = 1, .gpu_milli = 500};
  const PodList list = list_of("two", {one, half});
  const auto run = [&](Policy& policy) {
    Cluster cluster(fleet, list, policy);
    return churn(cluster, list, fleet.capacity_milli(), {.load_percent = 100, .settle = 5, .measure = 200}, 3);
  };
  BestFitPolicy best, again;
  RandomPolicy random(1);
  const auto a = run(best), b = run(again), c = run(random);
  EXPECT_EQ(a.dropped_milli, b.dropped_milli);
  EXPECT_EQ(a.offered_milli, c.offered_milli);
  EXPECT_LT(a.dropped_milli, c.dropped_milli);
}

}  // namespace
}  // namespace ym::sim::placement
