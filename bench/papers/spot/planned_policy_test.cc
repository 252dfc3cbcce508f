#include "papers/spot/planned_policy.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"
#include "papers/spot/table.h"

namespace ym::sim::spot {
namespace {

constexpr std::int64_t kPlanTickMs = kHourMs / 6;
constexpr std::int64_t kWorkMs = 5 * kHourMs;

// Nodes by tick, in spells of some hours.
std::vector<int> drawn_zone(Random& random, int most, std::uint64_t swing) {
  std::vector<int> nodes;
  int now = most;
  for (int tick = 0; tick < 300; ++tick) {
    if (random.below(swing) == 0) now = static_cast<int>(random.below(static_cast<std::uint64_t>(most) + 1));
    nodes.push_back(now);
  }
  return nodes;
}

Market drawn_market(Random& random, std::size_t zones, const Gang& gang) {
  Market market{.name = "a", .tick_ms = kPlanTickMs, .gang = gang, .nodes = {}};
  for (std::size_t zone = 0; zone < zones; ++zone) market.nodes.push_back(drawn_zone(random, gang.most, 12));
  return market;
}

MarketSet drawn_set(std::size_t zones, const Gang& gang) {
  Random random(zones + static_cast<std::uint64_t>(gang.most));
  return {.name = "drawn",
          .work_ms = kWorkMs,
          .markets = {drawn_market(random, zones, gang), drawn_market(random, zones, gang)}};
}

TEST(PlannedPolicy, IsNeverLateAndNeverBelowTheBound) {
  for (const std::size_t zones : {1U, 3U}) {
    for (const Gang gang : {Gang{}, Gang{.nodes = 4, .most = 4}, Gang{.nodes = 2, .most = 6}}) {
      const TableRow row = row_of(drawn_set(zones, gang), {.tenths = 7, .starts = EveryNthTick{.n = 10}});
      EXPECT_GT(row.runs, 0);
      for (const Score& score : row.scores) {
        EXPECT_EQ(score.late, 0);
        EXPECT_LE(score.saving_percent, row.bound_percent);
        EXPECT_NEAR(score.work.on_demand + score.work.spot, 5, 1e-9);
      }
    }
  }
}

TEST(PlannedPolicy, TakesSpotThatLasts) {
  const Market market{.name = "a", .tick_ms = kPlanTickMs, .nodes = {std::vector(60, 1)}};
  const Job job{.work_ms = kWorkMs, .deadline_ms = 7 * kHourMs};
  Plans plans(job);
  PlannedPolicy policy(plans, Estimator(Observations(1), {}));
  const Bill bill = run(job, market, 0, policy);
  EXPECT_EQ(bill.spot_work_ms, kWorkMs);
  EXPECT_EQ(bill.starts, 1);
  EXPECT_LE(plans.size(), 3U) << "beliefs are coarse";
}

TEST(PlannedPolicy, GoesToAnotherZoneAtOnce) {
  Market market{.name = "a", .tick_ms = kPlanTickMs, .nodes = {std::vector(60, 1), std::vector(60, 1)}};
  std::fill(market.nodes[0].begin() + 6, market.nodes[0].end(), 0);
  const Job job{.work_ms = kWorkMs, .deadline_ms = 7 * kHourMs};
  Plans plans(job);
  PlannedPolicy policy(plans, Estimator(Observations(2), {}));
  const Bill bill = run(job, market, 0, policy);
  EXPECT_EQ(bill.spot_ms, kWorkMs + 2 * job.start_ms);
}

TEST(SpotTable, IsTheSameEachTime) {
  const RowOptions options{.starts = RandomStarts{.count = 5}, .with_best_zone = true};
  const TableRow one = row_of(drawn_set(2, {}), options), other = row_of(drawn_set(2, {}), options);
  EXPECT_EQ(to_text(one), to_text(other));
  EXPECT_EQ(one.runs, 10);
  ASSERT_TRUE(one.best_zone);
  EXPECT_LE(one.best_zone->planned.saving_percent, one.bound_percent);
}

TEST(SpotTable, StartsLieWithinTheirPart) {
  const Market market{.name = "a", .tick_ms = kPlanTickMs, .nodes = {std::vector(100, 1)}};
  const Job job{.work_ms = kWorkMs, .deadline_ms = 40 * kPlanTickMs};
  const auto all = starts_of(market, job, Part::second, EveryNthTick{.n = 5});
  EXPECT_EQ(all, (std::vector<std::size_t>{50, 55, 60}));
  for (const std::size_t start : starts_of(market, job, Part::second, RandomStarts{})) EXPECT_TRUE(start - 50 <= 10);
  EXPECT_EQ(starts_of(market, job, Part::whole, EveryNthTick{.n = 61}), (std::vector<std::size_t>{0}));
  EXPECT_TRUE(seen_before(market, Part::second).zone(0).known());
  EXPECT_FALSE(seen_before(market, Part::whole).zone(0).known());
}

TEST(SpotTable, GapIsThatToTheBound) {
  TableRow row{.set = "a", .bound_percent = 50};
  row.scores = {Score{.saving_percent = 20}, Score{.saving_percent = 30}, Score{.saving_percent = 40}};
  EXPECT_EQ(row.gap_closed_percent(), 50);
  row.bound_percent = 30;
  EXPECT_EQ(row.gap_closed_percent(), std::nullopt);
  EXPECT_FALSE(to_text(row).empty());
  EXPECT_FALSE(table_header().empty());
}

TEST(SpotTable, SaysWhichTraceIsMissing) {
  const auto table = single_zone_table({.folder = "/nowhere"});
  ASSERT_FALSE(table);
  EXPECT_TRUE(table.error().message.contains("us-west-2a_k80_1"));
}

}  // namespace
}  // namespace ym::sim::spot
