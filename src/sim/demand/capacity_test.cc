#include "sim/demand/capacity.h"

#include <gtest/gtest.h>

namespace ym::sim {
namespace {

const NodeFlavor kFlavor{.name = "h200", .gpus = 8, .price_per_gpu_hour = 2};

// Waits are 100 h, divided by the nodes above ten; ten nodes are in use.
Result<CapacityRun> simulated(const NodeFlavor&, std::int64_t nodes) {
  const auto wait = nodes <= 10 ? hours(1000) : Duration{hours(100).ms / (nodes - 10)};
  return CapacityRun{
      .mean_wait = wait, .p90_wait = wait + wait, .utilisation = std::min(1.0, 10.0 / static_cast<double>(nodes))};
}

TEST(Capacity, FindsTheFewestNodesForAWait) {
  for (const std::int64_t guess : {1, 12, 60, 5000}) {
    const auto answer =
        nodes_needed(kFlavor, {.mean_wait_at_most = hours(2)}, simulated, {.first_guess = guess, .runs_at_most = 30});
    ASSERT_TRUE(answer) << answer.error().message;
    ASSERT_TRUE(answer->enough);
    EXPECT_TRUE(answer->exact);
    EXPECT_EQ(answer->enough->nodes, 60) << guess;
    EXPECT_EQ(answer->enough->mean_wait, hours(2));
  }
}

TEST(Capacity, AllThatIsStatedHasToHold) {
  const CapacityGoal goal{.p90_wait_at_most = hours(100), .utilisation_at_most = 0.25};
  const auto answer = nodes_needed(kFlavor, goal, simulated);
  ASSERT_TRUE(answer && answer->enough);
  EXPECT_EQ(answer->enough->nodes, 40);
}

TEST(Capacity, SimulatesEachNumberOnceAndNoMoreThanAllowed) {
  const SearchOptions options{.first_guess = 900, .runs_at_most = 3};
  const auto answer = nodes_needed(kFlavor, {.mean_wait_at_most = hours(2)}, simulated, options);
  ASSERT_TRUE(answer && answer->enough);
  EXPECT_EQ(answer->tried.size(), 3);
  EXPECT_FALSE(answer->exact);
  EXPECT_EQ(answer->enough->nodes, 225);
}

TEST(Capacity, SaysWhereNotEvenTheMostIsEnough) {
  const auto answer = nodes_needed(kFlavor, {.mean_wait_at_most = Duration{}}, simulated, {.most = 100});
  ASSERT_TRUE(answer);
  EXPECT_FALSE(answer->enough);
  EXPECT_EQ(answer->tried.back().nodes, 100);
}

TEST(Capacity, TheLeastThatMayBeTriedCanBeTheAnswer) {
  const auto answer =
      nodes_needed(kFlavor, {.mean_wait_at_most = hours(2)}, simulated, {.first_guess = 200, .least = 80});
  ASSERT_TRUE(answer && answer->enough);
  EXPECT_EQ(answer->enough->nodes, 80);
  EXPECT_TRUE(answer->exact);
}

TEST(Capacity, RefusesNoGoalAndHandsOnErrors) {
  EXPECT_EQ(nodes_needed(kFlavor, {}, simulated).error().code, ErrorCode::invalid);
  EXPECT_FALSE(nodes_needed(kFlavor, {.utilisation_at_most = 1}, simulated, {.least = 5, .most = 4}));
  const auto broken = [](const NodeFlavor&, std::int64_t) -> Result<CapacityRun> { return fail(ErrorCode::io, "no"); };
  EXPECT_EQ(nodes_needed(kFlavor, {.utilisation_at_most = 1}, broken).error().code, ErrorCode::io);
}

TEST(Capacity, ABudgetBuysWholeNodes) {
  const HardwareBudget month{.amount = 200'000, .period = hours(30 * 24)};
  EXPECT_EQ(affordable_nodes(kFlavor, month), 17) << "of 11,520 each";
  const auto run = what_budget_buys(kFlavor, month, simulated);
  ASSERT_TRUE(run && *run);
  EXPECT_EQ((*run)->nodes, 17);
  EXPECT_DOUBLE_EQ(price_per_hour(kFlavor, 17), 272);
  const auto nothing = what_budget_buys(kFlavor, {.amount = 10, .period = hours(24)}, simulated);
  ASSERT_TRUE(nothing);
  EXPECT_FALSE(*nothing);
  EXPECT_FALSE(affordable_nodes({.name = "free"}, month));
}

TEST(Capacity, BoundsComeFromTheWorkload) {
  const Instant begin{978'307'200'000};
  const std::vector<PastJob> jobs{{begin, hours(10), 30, "a"}, {begin + hours(10), hours(10), 12, "a"}};
  EXPECT_EQ(nodes_for_largest_job(kFlavor, jobs), 4);
  EXPECT_EQ(nodes_for_mean_demand(kFlavor, jobs), 3) << "21 GPUs";
  EXPECT_EQ(nodes_for_mean_demand(kFlavor, {}), 1);
}

}  // namespace
}  // namespace ym::sim
