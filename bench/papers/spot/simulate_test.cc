#include "papers/spot/simulate.h"

#include <gtest/gtest.h>

#include "papers/spot/published_rules.h"

namespace ym::sim::spot {
namespace {

// Ticks of a minute; five of work in ten; a start takes one.
constexpr std::int64_t kMinuteMs = 60'000;
constexpr Job kSimulatedJob{.work_ms = 5 * kMinuteMs,
                            .deadline_ms = 10 * kMinuteMs,
                            .start_ms = kMinuteMs,
                            .prices = {.on_demand_cents = 10, .spot_cents = 1}};

Market market(std::vector<int> nodes) { return {.name = "a", .tick_ms = kMinuteMs, .nodes = {std::move(nodes)}}; }

Bill run_greedy(const Market& market) {
  Greedy policy;
  return run(kSimulatedJob, market, 0, policy);
}

Bill run_paced(const Market& market) {
  UniformProgress policy;
  return run(kSimulatedJob, market, 0, policy);
}

TEST(Advance, PaysStartsWhereverItGoes) {
  JobState state = submitted(kSimulatedJob);
  Bill bill;
  advance(kSimulatedJob, state, kIdle, kMinuteMs, bill);
  advance(kSimulatedJob, state, on_spot(0), 90'000, bill);
  EXPECT_EQ(state.left_ms, kSimulatedJob.work_ms - 30'000);
  advance(kSimulatedJob, state, on_spot(1), kMinuteMs, bill);
  EXPECT_EQ(state.left_ms, kSimulatedJob.work_ms - 30'000) << "another zone is another start";
  advance(kSimulatedJob, state, kOnDemand, 30'000, bill);
  EXPECT_EQ(state.start_left_ms, 30'000);
  EXPECT_EQ(bill.starts, 3);
  EXPECT_EQ(bill.spot_ms, 150'000);
  EXPECT_EQ(bill.spot_work_ms, 30'000);
  EXPECT_EQ(cost(bill, kSimulatedJob.prices), 150'000 + 10 * 30'000);
  EXPECT_EQ(slack_ms(kSimulatedJob, state), kSimulatedJob.deadline_ms - state.now_ms - state.left_ms);
}

TEST(Advance, PaysToTheMillisecondAtTheEnd) {
  JobState state{.left_ms = 10'000, .place = kOnDemand};
  Bill bill;
  advance(kSimulatedJob, state, kOnDemand, kMinuteMs, bill);
  EXPECT_EQ(state.now_ms, 10'000);
  EXPECT_EQ(bill.on_demand_ms, 10'000);
}

TEST(Greedy, WaitsForSpotAsLongAsItCan) {
  const Bill steady = run_greedy(market(std::vector(10, 1)));
  EXPECT_EQ(steady.spot_ms, 6 * kMinuteMs);
  EXPECT_EQ(steady.on_demand_ms, 0);
  EXPECT_FALSE(steady.late);
  const Bill never = run_greedy(market(std::vector(10, 0)));
  EXPECT_EQ(never.on_demand_ms, 6 * kMinuteMs);
  EXPECT_FALSE(never.late);
}

TEST(Greedy, StartsAnewWhenItsZoneIsLost) {
  const Bill bill = run_greedy(market({1, 1, 0, 1, 1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(bill.starts, 2);
  EXPECT_EQ(bill.spot_ms, 7 * kMinuteMs);
}

TEST(UniformProgress, GoesOnDemandBelowItsPaceOnly) {
  // Nothing is due at the very beginning; one minute later something is, and it stays.
  const Bill bill = run_paced(market(std::vector(10, 0)));
  EXPECT_EQ(bill.on_demand_ms, 6 * kMinuteMs);
  EXPECT_EQ(bill.starts, 1);
  EXPECT_FALSE(bill.late);
  // Once it is two starts ahead of the pace it leaves for spot.
  const Job loose{.work_ms = 30 * kMinuteMs, .deadline_ms = 60 * kMinuteMs, .start_ms = kMinuteMs};
  std::vector<int> nodes(60, 1);
  std::fill_n(nodes.begin(), 6, 0);
  UniformProgress policy;
  const Bill mixed = run(loose, market(std::move(nodes)), 0, policy);
  EXPECT_GT(mixed.on_demand_work_ms, 0);
  EXPECT_GT(mixed.spot_work_ms, mixed.on_demand_work_ms);
  EXPECT_EQ(mixed.starts, 2);
}

TEST(SpotRun, IsLateWhereTheMarketEnds) { EXPECT_TRUE(run_greedy(market({1, 1})).late); }

TEST(SpotRun, BeginsAtTheTickGiven) {
  Greedy policy;
  const Bill bill = run(kSimulatedJob, market({0, 0, 0, 1, 1, 1, 1, 1, 1, 1}), 3, policy);
  EXPECT_EQ(bill.spot_ms, 6 * kMinuteMs);
}

}  // namespace
}  // namespace ym::sim::spot
