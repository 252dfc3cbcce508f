#include "model/flavor_mix.h"

#include <gtest/gtest.h>

#include "model/tables.h"

namespace ym {
namespace {

TEST(FlavorMix, IsOneNameOrOneOfEachPart) {
  EXPECT_EQ(split_flavors("h100"), (std::vector<std::string_view>{"h100"}));
  const std::vector<std::string> parts{"h100", "h100-spot", "h100"};
  EXPECT_EQ(join_flavors(parts), "h100+h100-spot+h100");
  const std::string all = join_flavors(parts);
  EXPECT_EQ(split_flavors(all), (std::vector<std::string_view>{"h100", "h100-spot", "h100"}));
}

TEST(FlavorMix, EachPartIsUsedAndCosts) {
  JobSpec spec;
  spec.resources.gpus = 2 * kMilli;
  spec.placement.edit().anchor = 1;
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
  attempt.prices_micros = prices_of(attempt.flavor, flavors);
  EXPECT_EQ(attempt.prices_micros, (std::vector<std::int64_t>{4'000'000, 1'000'000}));
  const Cost cost = cost_until(attempt, job, Instant{} + hours(1));
  EXPECT_EQ(cost.gpu_ms, 6 * hours(1).ms);
  EXPECT_EQ(cost.money_micros, 2 * 4'000'000 + 4 * 1'000'000);
  attempt.flavor = "spot";
  attempt.prices_micros = prices_of(attempt.flavor, flavors);
  EXPECT_EQ(cost_until(attempt, job, Instant{} + hours(1)).money_micros, 6 * 1'000'000);
}

TEST(FlavorMix, GroupsOfOneFlavorAreOneEntry) {
  JobSpec spec;
  spec.nodes = 4;
  spec.groups = {{.name = "learners", .nodes = 2}, {.name = "actors", .nodes = 1}, {.name = "judges", .nodes = 1}};
  for (std::size_t i = 0; i < 3; ++i) spec.groups[i].resources.gpus = static_cast<std::int64_t>(4 >> i) * kMilli;
  EXPECT_EQ(spec.total()[ResourceKind::gpus], 11 * kMilli);
  EXPECT_EQ(spec.resources_of(1).gpus, 4 * kMilli);
  EXPECT_EQ(spec.resources_of(2).gpus, 2 * kMilli);
  EXPECT_EQ(spec.resources_of(3).gpus, 1 * kMilli);
  const Job job{.id = JobId{1}, .spec = std::make_shared<const JobSpec>(spec), .owner = "ann"};
  Attempt attempt{.job = job.id, .queue = "q", .flavor = "h100+cpu+h100"};
  attempt.placement.resize(4);
  const auto used = usage_of(attempt, job);
  ASSERT_EQ(used.size(), 2u);
  EXPECT_EQ(used[0].flavor, "h100");
  EXPECT_EQ(used[0].amounts[ResourceKind::gpus], 9 * kMilli);
  EXPECT_EQ(used[1].flavor, "cpu");
  EXPECT_EQ(used[1].amounts[ResourceKind::gpus], 2 * kMilli);
}

}  // namespace
}  // namespace ym
