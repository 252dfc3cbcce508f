#include "papers/spot/observations.h"

#include <gtest/gtest.h>

#include "papers/spot/estimator.h"

namespace ym::sim::spot {
namespace {

constexpr std::int64_t kTickMs = kHourMs / 6;

View view(std::vector<int> nodes, const Gang& gang = {}) {
  return {.tick_ms = kTickMs, .gang = gang, .nodes = std::move(nodes)};
}

TEST(Spells, HaveAgesInBuckets) {
  EXPECT_EQ(age_bucket(0), 0U);
  EXPECT_EQ(age_bucket(kHourMs / 6), 0U);
  EXPECT_EQ(age_bucket(kHourMs / 6 + 1), 1U);
  EXPECT_EQ(age_bucket(16 * kHourMs), 7U);
  EXPECT_EQ(age_bucket(1000 * kHourMs), 8U);
}

TEST(Spells, HaveLevelsByWhatTheGangNeeds) {
  const Gang some{.nodes = 4, .most = 16}, all{.nodes = 4, .most = 4};
  EXPECT_EQ(level_of(0, some), Level::zero);
  EXPECT_EQ(level_of(2, some), Level::low);
  EXPECT_EQ(level_of(3, some), Level::high);
  EXPECT_EQ(level_of(7, some), Level::tight);
  EXPECT_EQ(level_of(8, some), Level::ample);
  EXPECT_EQ(level_of(4, all), Level::ample);
}

TEST(Spells, CountEndsSeenAndExpected) {
  SpellWatch watch;
  for (const Level level : {Level::ample, Level::ample, Level::zero, Level::zero, Level::zero, Level::ample})
    watch.see(level, kTickMs);
  // The first is an hour old when it is first seen, so that it is older than an hour in the second tick.
  EXPECT_EQ(watch.of_ample(), (Evidence{.seen_milli = 1000, .expected_milli = 750 / 6 + 500 / 6}));
  EXPECT_EQ(watch.of_zero(), (Evidence{.seen_milli = 1000, .expected_milli = 2200 / 6 + 1350 / 6 + 950 / 6}));
  EXPECT_EQ(watch.age_ms(), kTickMs);
}

TEST(Observations, CountLossesAndWhereElseToGo) {
  Observations seen(2);
  for (const auto& nodes : std::vector<std::vector<int>>{{1, 0}, {0, 1}, {0, 0}, {1, 1}, {0, 1}}) seen.see(view(nodes));
  EXPECT_EQ(seen.losses(), 3);
  EXPECT_EQ(seen.moves(), 2);
  EXPECT_EQ(seen.best().of_zero().seen_milli, 1000) << "for the market one tick without any";
  EXPECT_EQ(seen.zone(0).level(), Level::zero);
}

TEST(Estimator, PrefersTheZoneThatIsLostLeast) {
  Estimator estimator(Observations(2), {});
  for (int tick = 0; tick < 60; ++tick) estimator.see(view({tick % 2, 1}));
  EXPECT_EQ(estimator.steadiest_zone(view({1, 1})), 1U);
  EXPECT_EQ(estimator.steadiest_zone(view({1, 0})), 0U);
  EXPECT_EQ(estimator.steadiest_zone(view({0, 0})), std::nullopt);
  EXPECT_GT(estimator.belief(0, {}).ample_factor, estimator.belief(1, {}).ample_factor);
  EXPECT_EQ(estimator.belief(0, {}).never_back, 100);
}

TEST(Estimator, BeginsWithWhatWasSeenBefore) {
  Market market{.name = "a", .tick_ms = kTickMs, .nodes = {{}}};
  for (int tick = 0; tick < 400; ++tick) market.nodes[0].push_back(tick % 2);
  const Belief nothing = Estimator(Observations(1), {}).belief(std::nullopt, {});
  const Belief before = Estimator(observe(market, 0, 400), {}).belief(std::nullopt, {});
  EXPECT_EQ(nothing, Belief{});
  EXPECT_GT(before.zero_factor, nothing.zero_factor);
  const Belief weightless = Estimator(observe(market, 0, 400), {.learnt_ends = 0}).belief(std::nullopt, {});
  EXPECT_EQ(weightless, nothing);
}

}  // namespace
}  // namespace ym::sim::spot
