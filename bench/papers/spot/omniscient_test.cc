#include "papers/spot/omniscient.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"

namespace ym::sim::spot {
namespace {

constexpr std::int64_t kMinuteTickMs = 60'000;
constexpr std::size_t kTicks = 7;

Job job_of(std::int64_t work_ms, std::int64_t start_ms) {
  return {.work_ms = work_ms,
          .deadline_ms = kTicks * kMinuteTickMs,
          .start_ms = start_ms,
          .prices = {.on_demand_cents = 10, .spot_cents = 3}};
}

// The cheapest of everything that can be done tick by tick.
std::int64_t cheapest(const Job& job, const Market& market, JobState state, Bill bill, std::size_t tick) {
  if (state.left_ms == 0) return state.now_ms <= job.deadline_ms ? cost(bill, job.prices) : INT64_MAX;
  if (tick == kTicks) return INT64_MAX;
  if (state.place.mode == Mode::spot && !market.up(state.place.zone, tick)) state.place = kIdle;
  std::vector<Place> places{kIdle, kOnDemand};
  for (std::size_t zone = 0; zone < market.zones(); ++zone)
    if (market.up(zone, tick)) places.push_back(on_spot(zone));
  std::int64_t least = INT64_MAX;
  for (const Place& place : places) {
    JobState then = state;
    Bill paid = bill;
    advance(job, then, place, market.tick_ms, paid);
    least = std::min(least, cheapest(job, market, then, paid, tick + 1));
  }
  return least;
}

TEST(LeastCost, IsThatOfTheCheapestRun) {
  Random random(5);
  for (int round = 0; round < 60; ++round) {
    Market market{.name = "a", .tick_ms = kMinuteTickMs, .nodes = {}};
    for (std::uint64_t zones = 1 + random.below(2); zones > 0; --zones) {
      market.nodes.emplace_back();
      for (std::size_t tick = 0; tick < kTicks; ++tick)
        market.nodes.back().push_back(static_cast<int>(random.below(2)));
    }
    const Job job = job_of((1 + static_cast<std::int64_t>(random.below(10))) * 30'000,
                           (1 + static_cast<std::int64_t>(random.below(4))) * 20'000);
    EXPECT_EQ(least_cost(job, market, 0), cheapest(job, market, submitted(job), {}, 0)) << round;
  }
}

TEST(LeastCost, CutsTheLastTickAtTheDeadline) {
  // A minute and a half of work and half a minute of start in two minutes and a half: nothing can wait for more than
  // the half minute that is left, so that the spot of the third tick is of no use.
  const Job job{.work_ms = 90'000,
                .deadline_ms = 150'000,
                .start_ms = 30'000,
                .prices = {.on_demand_cents = 10, .spot_cents = 3}};
  const Market market{.name = "a", .tick_ms = kMinuteTickMs, .nodes = {{0, 0, 1}}};
  EXPECT_EQ(least_cost(job, market, 0), 120'000 * 10);
}

TEST(LeastCost, BeginsAtTheTickGiven) {
  const Market market{.name = "a", .tick_ms = kMinuteTickMs, .nodes = {{0, 0, 1, 1, 1, 1, 1, 1, 1}}};
  const Job job = job_of(2 * kMinuteTickMs, kMinuteTickMs);
  EXPECT_EQ(least_cost(job, market, 2), 3 * kMinuteTickMs * 3);
}

}  // namespace
}  // namespace ym::sim::spot
