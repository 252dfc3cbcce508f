// Simple bounds and the price bound.
#include "papers/elastic/bounds.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "papers/elastic/cheapest_run.h"
#include "papers/elastic/pausing_run.h"
#include "papers/elastic/price_bound.h"
#include "papers/elastic/testing/synthetic.h"

namespace ym::sim::elastic {
namespace {

Catalog one_application() {
  Catalog catalog;
  catalog.push_back(synthetic_application({.epochs = 4, .epoch_progress = 3000}));
  return catalog;
}

TEST(Bounds, OfOneJobAreItsOwnTimes) {
  const Catalog catalog = one_application();
  const LeastNeeds needs = least_needs(catalog[0]);
  const SimpleBounds bounds = simple_bounds(catalog, synthetic_requests(1, 0));
  EXPECT_DOUBLE_EQ(bounds.isolated_s, needs.run_s());
  EXPECT_DOUBLE_EQ(bounds.srpt_s, needs.work_gpu_s() / 64);
  EXPECT_LE(bounds.srpt_s, bounds.isolated_s);
}

TEST(Bounds, OfJobsAtOnceAreThoseOfAQueue) {
  const Catalog catalog = one_application();
  const double one_s = least_needs(catalog[0]).work_gpu_s() / 64;
  const SimpleBounds bounds = simple_bounds(catalog, synthetic_requests(9, 0));
  EXPECT_NEAR(bounds.srpt_s, 5 * one_s, 1e-6 * one_s);  // mean of 1 to 9
}

TEST(PriceBound, OfOneJobIsItsOwnTime) {
  const Catalog catalog = one_application();
  const auto bound = price_bound(catalog, synthetic_requests(1, 0), {.grid = {.end_s = 6000}, .steps = 60});
  const double alone_s = 60 + 30 + least_needs(catalog[0]).run_s();
  EXPECT_LE(bound.mean_completion_s, alone_s + 0.01);
  EXPECT_GT(bound.mean_completion_s, 0.9 * alone_s);
}

TEST(PriceBound, MoreStepsOnlyRaiseIt) {
  const Catalog catalog = one_application();
  double before = 0;
  for (const Count steps : {1U, 10U, 40U}) {
    const auto bound = price_bound(catalog, synthetic_requests(30, 10), {.grid = {.end_s = 9000}, .steps = steps});
    EXPECT_GE(bound.mean_completion_s, before);
    before = bound.mean_completion_s;
  }
}

class Cheapest : public ::testing::Test {
 protected:
  // At a price that holds up to 1,500 s.
  PricePath prices(double price) const {
    std::vector<double> all(grid_.slots(), 0);
    for (std::size_t slot = 0; slot < 5; ++slot) all[slot] = price;
    return {grid_, std::move(all)};
  }

  TimeGrid grid_{.end_s = 6000};
  Catalog catalog_ = one_application();
  EpochTimes times_ = epoch_times(catalog_[0], Cluster{}, PriceBoundOptions{}.sizes);
};

TEST_F(Cheapest, IsTheFastestWhereNothingCosts) {
  const PricePath free = prices(0);
  EXPECT_EQ(free.paid().size(), 1U);
  EXPECT_NEAR(CheapestRun(times_, free).cost_from(60), least_needs(catalog_[0]).run_s(), 0.01);
}

TEST_F(Cheapest, WaitsForTheEndOfHighPrices) {
  const PricePath dear = prices(1e3);
  const CheapestRun run(times_, dear);
  EXPECT_NEAR(run.cost_from(300), 1200 + least_needs(catalog_[0]).run_s(), 0.01);
  std::vector<double> held(grid_.slots(), 0);
  run.add_held(300, held);
  EXPECT_EQ(held[4], 0);
  EXPECT_GT(held[5], 0);
}

TEST_F(Cheapest, HoldsFewerGpusWhereTheyCost) {
  const PricePath some = prices(0.05), none = prices(0);
  std::vector<double> held_some(grid_.slots(), 0), held_none(grid_.slots(), 0);
  CheapestRun(times_, some).add_held(0, held_some);
  CheapestRun(times_, none).add_held(0, held_none);
  EXPECT_GT(held_some[0], 0);
  EXPECT_LT(held_some[0], held_none[0]);
}

TEST_F(Cheapest, WithPausesPaysForEachStart) {
  const PricePath none = prices(0);
  EXPECT_NEAR(PausingRun(times_, none, 30).cost_from(60), 30 + CheapestRun(times_, none).cost_from(60), 0.01);
}

TEST_F(Cheapest, WithPausesCostsMoreThanWithout) {
  for (const double price : {0.01, 0.05, 0.5}) {
    const PricePath some = prices(price);
    const double with_s = PausingRun(times_, some, 30).cost_from(0), without_s = CheapestRun(times_, some).cost_from(0);
    EXPECT_GE(with_s, without_s + 30);
  }
}

TEST_F(Cheapest, PiecesTakeAsLongTogether) {
  const double epoch_s = std::ranges::min(times_.seconds[0]);
  const EpochTimes pieces = in_pieces(times_, epoch_s / 3);
  EXPECT_EQ(in_pieces(times_, 1.01 * epoch_s).seconds, times_.seconds);
  ASSERT_EQ(pieces.seconds.size(), 4 * times_.seconds.size());
  EXPECT_DOUBLE_EQ(std::ranges::min(pieces.seconds[5]), epoch_s / 4);
}

TEST(PausingPriceBound, IsAboveTheOneWithoutPauses) {
  const Catalog catalog = one_application();
  const auto requests = synthetic_requests(30, 10);
  const PriceBoundOptions without{.grid = {.end_s = 9000}, .steps = 20};
  const auto bound =
      pausing_price_bound(catalog, requests, {.without = without, .grid = {.step_s = 30, .end_s = 9000}, .steps = 20});
  EXPECT_GT(bound.mean_completion_s, price_bound(catalog, requests, without).mean_completion_s);
}

}  // namespace
}  // namespace ym::sim::elastic
