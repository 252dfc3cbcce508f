#include "papers/spot/plan.h"

#include <gtest/gtest.h>

#include "papers/spot/belief.h"

namespace ym::sim::spot {
namespace {

constexpr Job kJob{.work_ms = 6 * kHourMs, .deadline_ms = 9 * kHourMs, .start_ms = kHourMs / 5};

// Two states: spot is up in the first. It is lost with one chance of kCertain, and comes with the other.
Chain two_states(std::int32_t lost, std::int32_t comes) {
  constexpr auto all = static_cast<std::int32_t>(kCertain);
  return {.states = {{.up = true, .arcs = {{.to = 0, .chance = all - lost}, {.to = 1, .chance = lost}}},
                     {.up = false, .arcs = {{.to = 0, .chance = comes}, {.to = 1, .chance = all - comes}}}}};
}

Plan::Now at_first(Mode mode, std::size_t state) {
  return {
      .to_deadline_ms = kJob.deadline_ms, .slack_ms = kJob.deadline_ms - kJob.work_ms, .mode = mode, .state = state};
}

TEST(Chain, ChancesAddUpForAllBeliefs) {
  using Levels = Belief::Levels;
  for (const Levels levels : {Levels::two, Levels::no_tight, Levels::all}) {
    for (std::size_t factor = 0; factor < kFactors.size(); ++factor) {
      for (std::size_t move = 0; move < kMoveChances.size(); ++move) {
        const Chain chain =
            chain_of({.zero_factor = factor, .ample_factor = factor, .move_chance = move, .levels = levels});
        for (const ChainState& state : chain.states) {
          std::int64_t sum = 0;
          for (const Arc& arc : state.arcs) {
            EXPECT_LT(arc.to, chain.states.size());
            EXPECT_GT(arc.chance, 0);
            sum += arc.chance;
          }
          EXPECT_EQ(sum, kCertain);
        }
      }
    }
  }
}

TEST(Belief, TakesTheNearestFactor) {
  EXPECT_EQ(nearest_factor({.seen_milli = 5000, .expected_milli = 5000}), 6U);
  EXPECT_EQ(nearest_factor({.seen_milli = 10'000, .expected_milli = 5000}), 8U);
  EXPECT_EQ(nearest_factor({.seen_milli = 0, .expected_milli = 5000}), 0U);
  EXPECT_EQ(nearest_factor({.seen_milli = 3'000'000'000, .expected_milli = 5000}), 12U);
  EXPECT_EQ(nearest_move_chance(40'000), 2U);
  EXPECT_EQ(nearest_move_chance(kCertain), 4U);
}

TEST(Belief, KnowsTheLevelsOfAGang) {
  EXPECT_EQ(levels_of({.nodes = 1, .most = 1}), Belief::Levels::two);
  EXPECT_EQ(levels_of({.nodes = 4, .most = 4}), Belief::Levels::no_tight);
  EXPECT_EQ(levels_of({.nodes = 4, .most = 16}), Belief::Levels::all);
  EXPECT_EQ(chain_of({.levels = Belief::Levels::all}).states.size(), 21U);
}

TEST(SpotPlan, TakesSpotThatStays) {
  const Plan plan(kJob, two_states(200, 1));
  EXPECT_EQ(plan.choose(at_first(Mode::idle, 0)), Mode::spot);
  EXPECT_EQ(plan.choose(at_first(Mode::on_demand, 0)), Mode::spot);
  EXPECT_EQ(plan.choose(at_first(Mode::spot, 0)), Mode::spot);
}

TEST(SpotPlan, WaitsForWhatComesAndNotForWhatDoesNot) {
  EXPECT_EQ(Plan(kJob, two_states(0, 60'000)).choose(at_first(Mode::idle, 1)), Mode::idle);
  EXPECT_EQ(Plan(kJob, two_states(0, 0)).choose(at_first(Mode::idle, 1)), Mode::on_demand);
}

TEST(SpotPlan, LeavesAloneWhatIsLostBeforeItStarted) {
  EXPECT_NE(Plan(kJob, two_states(65'000, 30'000)).choose(at_first(Mode::on_demand, 0)), Mode::spot);
}

TEST(SpotPlan, WaitsForNothingThatIsGoneForGood) {
  Chain chain = two_states(0, 60'000);
  chain.never_back = 60'000;
  EXPECT_EQ(Plan(kJob, chain).choose(at_first(Mode::idle, 1)), Mode::on_demand);
}

TEST(SpotPlan, KeepsSlackForAStartOnDemand) {
  const Plan plan(kJob, two_states(0, 60'000));
  Plan::Now now{.to_deadline_ms = 3 * kHourMs, .slack_ms = kJob.start_ms, .mode = Mode::idle, .state = 0};
  EXPECT_EQ(plan.choose(now), Mode::on_demand) << "spot would take a start and leave no slack for another";
  now.slack_ms = 2 * kJob.start_ms;
  EXPECT_EQ(plan.choose(now), Mode::spot);
  now.state = 1;
  EXPECT_EQ(plan.choose(now), Mode::on_demand) << "after a wait spot could not be taken any more";
  now.slack_ms += kStepMs;
  EXPECT_EQ(plan.choose(now), Mode::idle);
}

}  // namespace
}  // namespace ym::sim::spot
