#include "papers/fairness/due_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "base/random.h"
#include "papers/fairness/due_policy.h"
#include "papers/fairness/testing.h"

namespace ym::sim::fairness {
namespace {

using ::testing::ElementsAre;

constexpr Micros kLater = 1'000'000;
constexpr DueOptions kOneGpu{.gpus = 1, .makespan_percent = 0};

// Sum of completion times in that order on one GPU; nothing if a job is late.
std::optional<Micros> sum_in_time(const std::vector<DueJob>& jobs, const std::vector<std::size_t>& order) {
  Micros now = 0, sum = 0;
  for (const std::size_t i : order) {
    now += jobs[i].left_us;
    sum += now;
    if (now > jobs[i].due_us) return std::nullopt;
  }
  return sum;
}

std::optional<Micros> best_of_all(const std::vector<DueJob>& jobs) {
  std::vector<std::size_t> order(jobs.size());
  std::iota(order.begin(), order.end(), 0U);
  std::optional<Micros> best;
  do {
    const auto sum = sum_in_time(jobs, order);
    if (sum && (!best || *sum < *best)) best = sum;
  } while (std::ranges::next_permutation(order).found);
  return best;
}

TEST(FairnessDueOrder, IsBestOnOneGpu) {
  Random random(5);
  int feasible = 0;
  for (int i = 0; i < 200; ++i) {
    std::vector<DueJob> jobs;
    for (int k = 0; k < 6; ++k)
      jobs.push_back(
          {.left_us = 1 + static_cast<Micros>(random.below(20)), .due_us = 10 + static_cast<Micros>(random.below(90))});
    const auto best = best_of_all(jobs);
    if (!best) continue;
    ++feasible;
    EXPECT_EQ(sum_in_time(jobs, due_order(jobs, kOneGpu)), best);
  }
  EXPECT_GT(feasible, 50);
}

TEST(FairnessDueOrder, IsShortestWorkFirstWhereNothingIsDue) {
  const std::vector<DueJob> jobs{{.gpus = 1, .left_us = 50, .due_us = kLater},
                                 {.gpus = 4, .left_us = 20, .due_us = kLater},
                                 {.gpus = 2, .left_us = 30, .due_us = kLater}};
  EXPECT_THAT(due_order(jobs, {.gpus = 4, .makespan_percent = 0}), ElementsAre(0, 2, 1));
}

TEST(FairnessDueOrder, StartsALongJobInTimeForTheMakespan) {
  std::vector<DueJob> jobs{{.left_us = 100, .due_us = kLater}};
  for (int i = 0; i < 10; ++i) jobs.push_back({.left_us = 10, .due_us = kLater});
  EXPECT_EQ(due_order(jobs, {.gpus = 2, .makespan_percent = 0}).back(), 0U);
  EXPECT_EQ(due_order(jobs, {.gpus = 2, .makespan_percent = 100}).front(), 0U);
}

TEST(FairnessDueOrder, PutsTheJobThatIsLateByLeastLast) {
  const std::vector<DueJob> jobs{{.left_us = 10, .due_us = -5, .fair_us = 10},
                                 {.left_us = 10, .due_us = -5, .fair_us = 100}};
  EXPECT_THAT(due_order(jobs, kOneGpu), ElementsAre(0, 1));
  EXPECT_TRUE(due_order({}, kOneGpu).empty());
}

TEST(FairnessDuePolicy, PutsTheJobThatWouldBecomeUnfairlyLateFirst) {
  const std::vector<Present> jobs{{.job = 0, .left_us = 3600 * kSecond},
                                  {.job = 1, .done_us = 6000 * kSecond, .left_us = 600 * kSecond}};
  DuePolicy policy({.makespan_percent = 0});
  // Of the first, the fair time is 2 x 3600 s.
  EXPECT_THAT(policy.order(round_of(jobs, 1, 7560 - 4200)), ElementsAre(1, 0));
  EXPECT_THAT(policy.order(round_of(jobs, 1, 7560 - 4190)), ElementsAre(0, 1));
}

TEST(FairnessDuePolicy, KeepsWhatRunsIfItsRunTimeIsGuessed) {
  std::vector<Present> jobs{{.job = 0, .left_us = 600 * kSecond}, {.job = 1, .left_us = 700 * kSecond}};
  jobs[1].guessed = jobs[1].ran_before = true;
  DuePolicy policy;
  EXPECT_THAT(policy.order(round_of(jobs, 1)), ElementsAre(1, 0));
  jobs[1].guessed = false;
  EXPECT_THAT(policy.order(round_of(jobs, 1)), ElementsAre(0, 1));
}

}  // namespace
}  // namespace ym::sim::fairness
