#include "papers/elastic/application.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "papers/elastic/testing/synthetic.h"

namespace ym::sim::elastic {
namespace {

using ::testing::ElementsAre;

Layout on(std::vector<Count> per_node) { return layout_of(per_node); }

TEST(Layout, OfFewNodesIsTheSmallestRotation) {
  EXPECT_EQ(on({2, 1, 1}), on({1, 1, 2}));
  EXPECT_EQ(on({4, 1, 2}).digits, 124U);
  EXPECT_EQ(on({4, 2, 1}).digits, 142U);
  EXPECT_EQ(on({3}).gpus, 3U);
}

TEST(Layout, OfManyNodesIsTwoNumbers) {
  EXPECT_EQ(on({1, 2, 3, 4, 1}), on({4, 1, 1, 2, 3}));
  EXPECT_EQ(packed_layout(17), (Layout{.digits = 0, .nodes = 5, .gpus = 17}));
  EXPECT_EQ(packed_layout(6).digits, 24U);
}

TEST(Batches, OfFixedTotalAccumulateWhatDoesNotFit) {
  const BatchLimits limits{16, 512, 4, 64};
  EXPECT_EQ(fixed_batch(limits, 4, 128), (Batch{.local = 32, .accumulation = 0}));
  EXPECT_EQ(fixed_batch(limits, 2, 256), (Batch{.local = 64, .accumulation = 1}));
  // Alone it would not know how noisy its gradients are.
  EXPECT_EQ(fixed_batch(limits, 1, 32), (Batch{.local = 16, .accumulation = 1}));
  EXPECT_EQ(fixed_batch(limits, 1, 16), (Batch{.local = 16, .accumulation = 0}));
}

TEST(Batches, ToChooseFromAreWithinTheLimits) {
  const BatchLimits limits{16, 512, 4, 64};
  for (const Count gpus : {1U, 3U, 8U, 64U}) {
    const auto batches = candidate_batches(limits, gpus);
    ASSERT_FALSE(batches.empty());
    for (const Batch& batch : batches) {
      EXPECT_GE(batch.local, limits.least_local);
      EXPECT_LE(batch.local, limits.most_local);
      EXPECT_GE(batch.total(gpus), limits.initial);
      EXPECT_LE(batch.total(gpus), limits.most);
    }
  }
  EXPECT_TRUE(candidate_batches(limits, 200).empty());
}

TEST(Application, EndsAnEpochWhenTheFirstOfItsValidationsDoes) {
  Profile profile = synthetic_profile({.epochs = 2});
  profile.validations[1].progress = {90, 250};
  const Application application(profile);
  const auto progress_at = application.progress_at();
  EXPECT_THAT(std::vector(progress_at.begin(), progress_at.end()), ElementsAre(0, 90, 200));
}

TEST(Application, InterpolatesStepTimes) {
  const Application application = synthetic_application();
  const auto step = application.step_time(packed_layout(2), 30);
  ASSERT_TRUE(step);
  EXPECT_DOUBLE_EQ(step->step_s, 0.32);
  EXPECT_DOUBLE_EQ(step->sync_s, 0.02);
  EXPECT_FALSE(application.step_time(packed_layout(2), 65));
  EXPECT_FALSE(application.step_time(on({5, 5}), 30));
}

TEST(Application, PrefersTheTableOfTheLayoutItself) {
  Profile profile = synthetic_profile();
  profile.by_digits[13] = {{1, 2, 1}, {64, 4, 1}};
  const Application application(profile);
  EXPECT_DOUBLE_EQ(application.step_time(on({3, 1}), 64)->step_s, 4);
  EXPECT_DOUBLE_EQ(application.step_time(on({2, 2}), 64)->step_s, 0.68);
}

TEST(Application, GoodputIsThroughputTimesEfficiency) {
  const Application application = synthetic_application();
  // Four times the initial batch does (20 + 1) / (20 / 4 + 1) of its progress.
  EXPECT_DOUBLE_EQ(application.goodput(packed_layout(4), 0, {.local = 16, .accumulation = 0}), 3.5 / 0.18);
  EXPECT_DOUBLE_EQ(application.goodput(packed_layout(4), 0, {.local = 8, .accumulation = 1}), 3.5 / (0.1 + 0.08));
  EXPECT_EQ(application.goodput(packed_layout(4), 0, {.local = 2, .accumulation = 0}), 0);
}

TEST(Application, CurvesRiseWithSizeAndNoBatchIsBetter) {
  const Application application = synthetic_application();
  double before = 0;
  for (const Count gpus : {1U, 2U, 4U}) {
    const Layout layout = packed_layout(gpus);
    const Curve& curve = application.curve(layout);
    EXPECT_GT(curve.goodput[0], before);
    before = curve.goodput[0];
    for (const Batch& batch : candidate_batches(application.limits(), gpus))
      EXPECT_LE(application.goodput(layout, 0, batch), curve.goodput[0]);
  }
}

}  // namespace
}  // namespace ym::sim::elastic
