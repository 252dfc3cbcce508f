#include "papers/elastic/elastic_policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "papers/elastic/bounds.h"
#include "papers/elastic/price_bound.h"
#include "papers/elastic/testing/synthetic.h"
#include "papers/elastic/tiresias.h"

namespace ym::sim::elastic {
namespace {

Catalog small_catalog() {
  Catalog catalog;
  catalog.push_back(synthetic_application({.name = "short", .epochs = 3, .epoch_progress = 500}));
  catalog.push_back(synthetic_application({.name = "long", .epochs = 5, .epoch_progress = 8000, .sync_s = 0.05}));
  return catalog;
}

std::vector<JobRequest> mixed_requests() {
  std::vector<JobRequest> requests = synthetic_requests(40, 30);
  for (std::size_t i = 0; i < requests.size(); i += 3) requests[i].application = 1;
  return requests;
}

Outcome run(const ElasticOptions& options, const Catalog& catalog = small_catalog()) {
  ElasticPolicy policy(catalog, options);
  auto outcome = simulate(catalog, mixed_requests(), policy);
  EXPECT_TRUE(outcome);
  return outcome ? *outcome : Outcome{};
}

TEST(ElasticPolicy, IsFasterThanFixedSizesAndNoFasterThanTheBounds) {
  const Catalog catalog = small_catalog();
  Tiresias tiresias;
  const auto fixed = simulate(catalog, mixed_requests(), tiresias);
  ASSERT_TRUE(fixed);
  const double ours_s = run(known_profile()).mean_completion_s();
  EXPECT_LT(ours_s, fixed->mean_completion_s());
  const SimpleBounds simple = simple_bounds(catalog, mixed_requests());
  EXPECT_GT(ours_s, std::max(simple.isolated_or_srpt_s(), simple.mean_busy_s));
  const PriceBound price = price_bound(catalog, mixed_requests(), {.grid = {.end_s = 6000}, .steps = 20});
  EXPECT_GT(ours_s, price.mean_completion_s);
  EXPECT_GT(price.mean_completion_s, simple.isolated_s);
}

TEST(ElasticPolicy, KnowingLessCostsTimeButEveryVariantEnds) {
  const double known_s = run(known_profile()).mean_completion_s();
  for (const auto& options :
       {growth_limited(), remaining_unknown(), remaining_typical(), growth_limited_remaining_unknown()})
    EXPECT_GT(run(options).mean_completion_s(), known_s) << options.name;
}

TEST(ElasticPolicy, DecidesTheSameAgain) {
  const Outcome first = run(growth_limited_remaining_unknown()), second = run(growth_limited_remaining_unknown());
  for (std::size_t i = 0; i < first.jobs.size(); ++i) {
    EXPECT_EQ(first.jobs[i].end_s, second.jobs[i].end_s);
    EXPECT_EQ(first.jobs[i].starts, second.jobs[i].starts);
  }
}

// Watches what another policy does.
class Watched : public Policy {
 public:
  Watched(Policy& inner, std::function<void(const Round&, const std::vector<Allocation>&)> watch)
      : inner_(inner), watch_(std::move(watch)) {}

  std::string_view name() const override { return inner_.name(); }
  BatchMode batch_mode() const override { return inner_.batch_mode(); }
  std::vector<Allocation> plan(const Round& round) override {
    auto plan = inner_.plan(round);
    watch_(round, plan);
    return plan;
  }

 private:
  Policy& inner_;
  std::function<void(const Round&, const std::vector<Allocation>&)> watch_;
};

TEST(ElasticPolicy, LimitedGrowthDoublesAtMost) {
  const Catalog catalog = small_catalog();
  ElasticPolicy policy(catalog, growth_limited());
  Watched watched(policy, [](const Round& round, const std::vector<Allocation>& plan) {
    for (std::size_t i = 0; i < plan.size(); ++i)
      EXPECT_LE(gpus_of(plan[i]), std::max(1U, 2 * round.jobs[round.active[i]].largest_run));
  });
  EXPECT_TRUE(simulate(catalog, mixed_requests(), watched));
}

TEST(ElasticPolicy, OnOneNodeAtMostOneSpreadJobWhereThatIsTheRule) {
  const Catalog catalog = small_catalog();
  ElasticOptions options = known_profile();
  options.sharing = NodeSharing::one_spread_job;
  ElasticPolicy policy(catalog, options);
  Watched watched(policy, [](const Round&, const std::vector<Allocation>& plan) {
    std::vector<int> spread(Cluster{}.nodes, 0);
    for (const Allocation& allocation : plan)
      for (const NodeShare& share : allocation) spread[share.node] += allocation.size() > 1 ? 1 : 0;
    for (const int jobs : spread) EXPECT_LE(jobs, 1);
  });
  EXPECT_TRUE(simulate(catalog, mixed_requests(), watched));
}

double mean_with_errors(Correction correction) {
  double sum_s = 0;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    ElasticOptions options = known_profile();
    options.errors = {.sigma = 0.5, .correction = correction, .seed = seed};
    sum_s += run(options).mean_completion_s();
  }
  return sum_s / 3;
}

TEST(ElasticPolicy, WrongTablesCostTimeAndCorrectionWinsSomeBack) {
  const double right_s = run(known_profile()).mean_completion_s();
  EXPECT_GT(mean_with_errors(Correction::never), mean_with_errors(Correction::per_application));
  EXPECT_GT(mean_with_errors(Correction::per_application), right_s);
}

TEST(Beliefs, LearnFromJobsThatRan) {
  const Catalog catalog = small_catalog();
  const ErrorOptions errors{.sigma = 0.3, .discount = 1, .correction = Correction::per_job};
  Beliefs beliefs(catalog, Cluster{}, 16, errors);
  Job job{.request = mixed_requests()[1], .layout = packed_layout(4)};
  const double truth = catalog[0].curve(packed_layout(4)).goodput[0];
  EXPECT_NE(beliefs.table(0, job).rate[4][0], truth);
  beliefs.observe(0, job, catalog[0]);
  EXPECT_NE(beliefs.table(0, job).rate[4][0], truth);
  job.ran_here_s = 30;
  beliefs.observe(0, job, catalog[0]);
  EXPECT_EQ(beliefs.table(0, job).rate[4][0], truth);
  EXPECT_NE(beliefs.table(1, job).rate[4][0], truth);
}

}  // namespace
}  // namespace ym::sim::elastic
