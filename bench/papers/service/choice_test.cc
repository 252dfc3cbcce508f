#include "papers/service/choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"

namespace ym::sim::service {
namespace {

using ::testing::ElementsAre;

std::vector<Candidate> random_candidates(std::size_t count, Count most_gpus, std::uint64_t seed) {
  Random random(seed);
  std::vector<Candidate> candidates;
  for (JobNumber job = 0; job < count; ++job) {
    const Count gpus = 1 + static_cast<Count>(random.below(static_cast<std::uint64_t>(most_gpus)));
    candidates.push_back({.job = job, .gpus = gpus, .rate = static_cast<double>(1 + random.below(1000))});
  }
  return candidates;
}

struct Total {
  Count gpus = 0;
  double rate = 0;
};

Total total(const std::vector<Candidate>& candidates, const std::vector<bool>& chosen) {
  Total sum;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (!chosen[i]) continue;
    sum.gpus += candidates[i].gpus;
    sum.rate += candidates[i].rate;
  }
  return sum;
}

TEST(ServiceChoice, OneThatDoesNotFitTakesThePlaceOfThoseWorthLess) {
  EXPECT_THAT(choose(std::vector<Candidate>{{0, 8, 8}, {1, 1, 2}}, {.gpus = 8}), ElementsAre(true, false));
  EXPECT_THAT(choose(std::vector<Candidate>{{0, 8, 1.9}, {1, 1, 2}}, {.gpus = 8}), ElementsAre(false, true));
}

TEST(ServiceChoice, TakesTheRateOfAllThatHaveToGo) {
  EXPECT_THAT(choose(std::vector<Candidate>{{0, 3, 3.3}, {1, 4, 4}, {2, 1, 0.5}}, {.gpus = 4}),
              ElementsAre(false, true, false));
  EXPECT_THAT(choose(std::vector<Candidate>{{0, 3, 3.6}, {1, 4, 4}, {2, 1, 0.5}}, {.gpus = 4}),
              ElementsAre(true, false, true));
}

TEST(ServiceChoice, FillsWhatIsLeftBehind) {
  EXPECT_THAT(choose(std::vector<Candidate>{{0, 3, 3.3}, {1, 4, 4}, {2, 2, 0.5}, {3, 1, 0.2}}, {.gpus = 5}),
              ElementsAre(false, true, false, true));
}

TEST(ServiceChoice, OfEqualOnesTakesTheSmallerNumberWhereverItStands) {
  EXPECT_THAT(choose(std::vector<Candidate>{{7, 1, 1}, {3, 1, 1}, {5, 1, 1}}, {.gpus = 2}),
              ElementsAre(false, true, true));
}

TEST(ServiceChoice, TakesTheMostUrgentOfMany) {
  const auto candidates = random_candidates(2000, 1, 5);
  const auto chosen = choose(candidates, {.gpus = 64});
  double least_chosen = 1e9, most_passed = 0;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (chosen[i]) least_chosen = std::min(least_chosen, candidates[i].rate);
    else most_passed = std::max(most_passed, candidates[i].rate);
  }
  EXPECT_EQ(std::ranges::count(chosen, true), 64);
  EXPECT_GE(least_chosen, most_passed);
}

TEST(ServiceChoice, IsNeverWorseThanWithoutTryingAndLeavesNoJobOutThatFits) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto candidates = random_candidates(1 + seed, 16, seed);
    const auto chosen = choose(candidates, {.gpus = 32});
    const Total sum = total(candidates, chosen);
    EXPECT_LE(sum.gpus, 32);
    EXPECT_GE(sum.rate, total(candidates, choose(candidates, {.gpus = 32, .most_tried = 0})).rate);
    for (std::size_t i = 0; i < candidates.size(); ++i)
      EXPECT_TRUE(chosen[i] || candidates[i].gpus > 32 - sum.gpus) << seed;
  }
}

TEST(ServiceChoice, MayBeEmpty) { EXPECT_TRUE(choose({}).empty()); }

}  // namespace
}  // namespace ym::sim::service
