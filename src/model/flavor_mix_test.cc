#include "model/flavor_mix.h"

#include <gtest/gtest.h>

#include "model/tables.h"

namespace ym {
namespace {

TEST(FlavorMix, IsOneNameOrTwo) {
  EXPECT_EQ(split_flavors("h100").rest, "h100");
  EXPECT_EQ(split_flavors("h100").anchor, "");
  const std::string both = join_flavors("h100", "h100-spot");
  EXPECT_EQ(both, "h100+h100-spot");
  EXPECT_EQ(split_flavors(both).anchor, "h100");
  EXPECT_EQ(split_flavors(both).rest, "h100-spot");
}

TEST(FlavorMix, EachPartIsUsedAndCosts) {
  JobSpec spec;
  spec.resources.gpus = 2 * kMilli;
  spec.placement.anchor = 1;
  const Job job{.id = JobId{1}, .spec = std::make_shared<const JobSpec>(spec), .owner = "ann"};
  Attempt attempt{.job = job.id, .queue = "q", .flavor = "od+spot"};
  attempt.placement.resize(3);
  attempt.started_at = Instant{};
  const std::map<std::string, Flavor> flavors{
      {"od", {.name = "od", .price_micros_per_gpu_hour = 4'000'000}},
      {"spot", {.name = "spot", .price_micros_per_gpu_hour = 1'000'000, .spot = true}}};
  const auto used = usage_of(attempt, job);
  ASSERT_EQ(used.size(), 2u);
  EXPECT_EQ(used[0].flavor, "od");
  EXPECT_EQ(used[0].amounts[ResourceKind::gpus], 2 * kMilli);
  EXPECT_EQ(used[1].flavor, "spot");
  EXPECT_EQ(used[1].amounts[ResourceKind::gpus], 4 * kMilli);
  const Cost cost = cost_until(attempt, job, flavors, Instant{} + hours(1));
  EXPECT_EQ(cost.gpu_ms, 6 * hours(1).ms);
  EXPECT_EQ(cost.money_micros, 2 * 4'000'000 + 4 * 1'000'000);
  attempt.flavor = "spot";
  EXPECT_EQ(cost_until(attempt, job, flavors, Instant{} + hours(1)).money_micros, 6 * 1'000'000);
}

}  // namespace
}  // namespace ym
